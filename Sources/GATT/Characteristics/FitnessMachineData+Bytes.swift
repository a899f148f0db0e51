extension FitnessMachineData {
    /// A packet of the machine's characteristic with these values, for a machine that sends them in another way.
    ///
    /// A rower has no speed of its own: it becomes the time for 500 m.
    public var bytes: [UInt8] {
        switch machine {
        case .indoorBike: bikeBytes
        case .treadmill: treadmillBytes
        case .crossTrainer: crossTrainerBytes
        case .rower: rowerBytes
        }
    }

    private var speedInKilometersPerHour: Double? { speedInMetersPerSecond.map { $0 * 3.6 } }
    private var level: Int16? { resistanceLevel.map { FieldWriter.clamped($0, to: Int16.self) } }

    private var bikeBytes: [UInt8] {
        var data = IndoorBikeData()
        data.speedInKilometersPerHour = speedInKilometersPerHour
        data.cadencePerMinute = cadencePerMinute
        data.totalDistanceInMeters = totalDistanceInMeters
        data.resistanceLevel = level
        data.powerInWatts = powerInWatts
        data.heartRate = heartRate
        return data.bytes
    }

    /// Fitness Machine Service 1.0, section 4.4.
    private var treadmillBytes: [UInt8] {
        var packet = Packet(hasFirst: speedInMetersPerSecond != nil)
        if let speedInKilometersPerHour { packet.fields.add(speedInKilometersPerHour, in: 0.01, as: UInt16.self) }
        packet.addDistance(totalDistanceInMeters)
        packet.addInclination(3, inclinationInPercent)
        packet.add(8, heartRate)
        if let powerInWatts {
            packet.flags |= 1 << 12
            // A force on the belt that is not known.
            packet.fields.add(Int16.max)
            packet.fields.add(powerInWatts)
        }
        return packet.bytes(flagBytes: 2)
    }

    /// Section 4.5.
    private var crossTrainerBytes: [UInt8] {
        var packet = Packet(hasFirst: speedInMetersPerSecond != nil)
        if let speedInKilometersPerHour { packet.fields.add(speedInKilometersPerHour, in: 0.01, as: UInt16.self) }
        packet.addDistance(totalDistanceInMeters)
        if let cadencePerMinute {
            packet.flags |= 1 << 3
            packet.fields.add(cadencePerMinute, in: 1, as: UInt16.self)
            // An average that is not known.
            packet.fields.add(UInt16.max)
        }
        packet.addInclination(6, inclinationInPercent)
        packet.add(7, resistanceLevel.map { FieldWriter.clamped($0 * 10, to: Int16.self) })
        packet.add(8, powerInWatts)
        packet.add(11, heartRate)
        return packet.bytes(flagBytes: 3)
    }

    /// Section 4.8.
    private var rowerBytes: [UInt8] {
        var packet = Packet(hasFirst: cadencePerMinute != nil)
        if let cadencePerMinute {
            packet.fields.add(cadencePerMinute, in: 0.5, as: UInt8.self)
            // Strokes that were not counted.
            packet.fields.add(UInt16.max)
        }
        packet.addDistance(totalDistanceInMeters)
        packet.add(
            3, speedInMetersPerSecond.flatMap { $0 > 0 ? FieldWriter.clamped(500 / $0, to: UInt16.self) : nil })
        packet.add(5, powerInWatts)
        packet.add(7, level)
        packet.add(9, heartRate)
        return packet.bytes(flagBytes: 2)
    }

    /// Flags, and the fields that they announce. The field of bit 0, "more data", is there if the bit is not set.
    private struct Packet {
        var flags: UInt32
        var fields = FieldWriter()

        init(hasFirst: Bool) { flags = hasFirst ? 0 : 1 }

        mutating func add(_ bit: UInt32, _ value: (some FixedWidthInteger)?) {
            guard let value else { return }
            flags |= 1 << bit
            fields.add(value)
        }

        mutating func addDistance(_ meters: UInt32?) {
            guard let meters else { return }
            flags |= 1 << 2
            fields.addUInt24(min(meters, 0xFF_FFFF))
        }

        mutating func addInclination(_ bit: UInt32, _ percent: Double?) {
            guard let percent else { return }
            flags |= 1 << bit
            fields.add(percent, in: 0.1, as: Int16.self)
            // A ramp angle that is not known.
            fields.add(Int16.max)
        }

        func bytes(flagBytes: Int) -> [UInt8] {
            (0..<flagBytes).map { UInt8(truncatingIfNeeded: flags >> (8 * UInt32($0))) } + fields.bytes
        }
    }
}
