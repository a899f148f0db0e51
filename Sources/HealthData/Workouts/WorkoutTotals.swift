extension HKWorkoutActivityType {
    /// The type of the distance that this activity covers. Activities without a distance of their own use that of
    /// walking and running, which a watch or phone counts meanwhile.
    ///
    /// Nil for a multisport workout, whose legs have their own, and for transitions between them.
    package var distanceIdentifier: HKQuantityTypeIdentifier? {
        switch self {
        case .swimBikeRun, .transition: nil
        case .cycling, .handCycling: .distanceCycling
        case .swimming, .waterFitness, .waterPolo, .waterSports, .underwaterDiving: .distanceSwimming
        case .wheelchairWalkPace, .wheelchairRunPace: .distanceWheelchair
        case .downhillSkiing, .snowboarding, .snowSports: .distanceDownhillSnowSports
        case .crossCountrySkiing: .distanceCrossCountrySkiing
        case .paddleSports: .distancePaddleSports
        case .rowing: .distanceRowing
        case .skatingSports: .distanceSkatingSports
        default: .distanceWalkingRunning
        }
    }

    package var distanceType: HKQuantityType? {
        distanceIdentifier.flatMap(HKObjectType.quantityType(forIdentifier:))
    }
}

/// The four totals that a workout states in addition to its statistics.
package struct WorkoutTotals: Sendable, Equatable {
    package var energyBurned: HKQuantity?
    package var distance: HKQuantity?
    package var swimmingStrokeCount: HKQuantity?
    package var flightsClimbed: HKQuantity?

    package init(
        energyBurned: HKQuantity? = nil, distance: HKQuantity? = nil, swimmingStrokeCount: HKQuantity? = nil,
        flightsClimbed: HKQuantity? = nil
    ) {
        self.energyBurned = energyBurned
        self.distance = distance
        self.swimmingStrokeCount = swimmingStrokeCount
        self.flightsClimbed = flightsClimbed
    }

    /// Creates the totals from the sums of the workout's statistics: active energy, strokes, flights, and the distance
    /// of the activity. For a multisport workout, and for one of other legs, it is the sum of the distances of its legs'
    /// types; transitions are walked.
    package init(
        _ statistics: [HKQuantityType: HKStatistics], activity: HKWorkoutActivityType,
        parts: some Sequence<HKWorkoutActivityType>
    ) {
        func sum(_ identifier: HKQuantityTypeIdentifier) -> HKQuantity? {
            HKObjectType.quantityType(forIdentifier: identifier).flatMap { statistics[$0]?.sumQuantity() }
        }
        energyBurned = sum(.activeEnergyBurned)
        swimmingStrokeCount = sum(.swimmingStrokeCount)
        flightsClimbed = sum(.flightsClimbed)
        let covered = Set(parts.compactMap { $0 == .transition ? .distanceWalkingRunning : $0.distanceIdentifier })
        if let identifier = activity.distanceIdentifier, activity != .other || covered.count < 2 {
            distance = sum(identifier)
        } else {
            let distances = covered.compactMap(sum)
            distance =
                distances.isEmpty
                ? nil
                : HKQuantity(unit: .meter(), doubleValue: distances.reduce(0) { $0 + $1.doubleValue(for: .meter()) })
        }
    }

    /// Throws if a total is in a wrong unit.
    package func check() throws(SampleError) {
        try Self.check(energyBurned, .kilocalorie(), "totalEnergyBurned")
        try Self.check(distance, .meter(), "totalDistance")
        try Self.check(swimmingStrokeCount, .count(), "totalSwimmingStrokeCount")
        try Self.check(flightsClimbed, .count(), "totalFlightsClimbed")
    }

    private static func check(_ quantity: HKQuantity?, _ unit: HKUnit, _ name: String) throws(SampleError) {
        guard let quantity, !quantity.is(compatibleWith: unit) else { return }
        throw .incompatibleUnit(type: name, unit: quantity.unit.unitString, expected: unit.unitString)
    }
}
