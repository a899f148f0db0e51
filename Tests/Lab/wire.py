#!/usr/bin/env python3
"""A bad wire: copies Ethernet frames between two interfaces, and delays, drops, duplicates, reorders, swallows or resets them.

It needs AF_PACKET and nothing else of the kernel, so it does the same where there is no netem. The standard input takes
one JSON object a line, the weather from now on: `delay` and `jitter` in seconds; `loss`, `twice` and `ahead` (overtakes what
is delayed) as shares of the frames; `hole`, a list of directions in which nothing passes, 0 from the first end and 1 from the
second; `forgets`, true for a router that has forgotten its connections: it passes no TCP segment and answers each with a
reset. What is not named is off. Each line is answered with what has happened to frames so far. Ends with its input.

    wire.py SEED END END [INTERFACE ...]

The further interfaces are made plain, as are both ends: checksums are written out and segments stay as small as the
wire's, so that each frame can be copied as it is. Run it where all of them are; they may be moved away afterwards.
"""

import array, fcntl, heapq, json, random, select, signal, socket, struct, sys, time

SIOCETHTOOL = 0x8946
# ETHTOOL_SRXCSUM, _STXCSUM, _STSO, _SGSO, _SGRO.
OFFLOADS = (0x15, 0x17, 0x1F, 0x24, 0x2C)
PACKET_OUTGOING = 4
FIN, SYN, RST, ACK = 1, 2, 4, 16


def make_plain(interface):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for offload in OFFLOADS:
            value = array.array("B", struct.pack("II", offload, 0))
            request = struct.pack("16sP", interface.encode(), value.buffer_info()[0])
            try:
                fcntl.ioctl(any_socket, SIOCETHTOOL, request)
            except OSError:
                pass  # What it cannot switch off, it does not do.


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def reset_for(frame):
    """The reset with which a machine answers a TCP segment over IPv4 of an unknown connection (RFC 9293,
    3.10.7.1); None for other frames, and b"" for a segment that gets no answer."""
    if frame[12:14] != b"\x08\x00" or frame[23] != socket.IPPROTO_TCP:
        return None
    start = 14 + (frame[14] & 15) * 4
    length = struct.unpack_from("!H", frame, 16)[0] - (start - 14)
    source, target, sequence, acknowledged, offset, flags = struct.unpack_from("!HHIIBB", frame, start)
    if flags & RST:
        return b""
    if flags & ACK:
        header = struct.pack("!HHIIBBHHH", target, source, acknowledged, 0, 5 << 4, RST, 0, 0, 0)
    else:
        after = sequence + length - (offset >> 4) * 4 + bool(flags & SYN) + bool(flags & FIN)
        header = struct.pack("!HHIIBBHHH", target, source, 0, after & 0xFFFFFFFF, 5 << 4, RST | ACK, 0, 0, 0)
    addresses = frame[30:34] + frame[26:30]
    sum_of = checksum(addresses + struct.pack("!HH", socket.IPPROTO_TCP, len(header)) + header)
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 40, 0, 0x4000, 64, socket.IPPROTO_TCP, 0)
    ip = ip[:10] + struct.pack("!H", checksum(ip + addresses)) + addresses
    return frame[6:12] + frame[:6] + b"\x08\x00" + ip + header[:16] + struct.pack("!H", sum_of) + header[18:]


class Wire:
    def __init__(self, seed, *ends):
        self.rng = random.Random(seed)
        self.sockets = []
        for end in ends:
            packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))  # ETH_P_ALL
            packets.bind((end, 0))
            # SOL_PACKET, PACKET_ADD_MEMBERSHIP with PACKET_MR_PROMISC: frames are addressed to the other end.
            packets.setsockopt(263, 1, struct.pack("iHH8s", socket.if_nametoindex(end), 1, 0, b""))
            packets.setblocking(False)
            self.sockets.append(packets)
        self.weather = {}
        self.counts = dict.fromkeys(("passed", "delayed", "lost", "doubled", "overtaken", "swallowed", "reset"), 0)
        self.waiting, self.number, self.last = [], 0, [0.0, 0.0]

    def take(self, frame, way):
        weather, chance, now = self.weather, self.rng.random, time.monotonic()
        if way in weather.get("hole", ()):
            self.counts["swallowed"] += 1
            return
        if weather.get("forgets") and (answer := reset_for(frame)) is not None:
            if answer:
                self.counts["reset"] += 1
                self.send(answer, 1 - way)
            return
        if chance() < weather.get("loss", 0):
            self.counts["lost"] += 1
            return
        due = now + weather.get("delay", 0) + chance() * weather.get("jitter", 0)
        if due > now and chance() < weather.get("ahead", 0):
            self.counts["overtaken"] += 1
            due = now
        else:
            due = self.last[way] = max(due, self.last[way])
        is_double = chance() < weather.get("twice", 0)
        self.counts["doubled"] += is_double
        for _ in range(1 + is_double):
            if due <= now:
                self.send(frame, way)
            else:
                self.counts["delayed"] += 1
                self.number += 1
                heapq.heappush(self.waiting, (due, self.number, frame, way))

    def send(self, frame, way):
        try:
            self.sockets[1 - way].send(frame)
            self.counts["passed"] += 1
        except OSError:
            self.counts["lost"] += 1  # That end is down.

    def run(self):
        while True:
            until = max(0.0, self.waiting[0][0] - time.monotonic()) if self.waiting else None
            ready = select.select([sys.stdin, *self.sockets], [], [], until)[0]
            if sys.stdin in ready:
                line = sys.stdin.readline()
                if not line:
                    return
                self.weather = json.loads(line)
                print(json.dumps(self.counts), flush=True)
            while self.waiting and self.waiting[0][0] <= time.monotonic():
                _, _, frame, way = heapq.heappop(self.waiting)
                self.send(frame, way)
            for way, packets in enumerate(self.sockets):
                try:
                    while packets in ready:
                        frame, address = packets.recvfrom(65_536)
                        if address[2] != PACKET_OUTGOING:
                            self.take(frame, way)
                except OSError:
                    pass  # Nothing is left, or that end is down.


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started it.
    for name in sys.argv[2:]:
        make_plain(name)
    Wire(int(sys.argv[1]), *sys.argv[2:4]).run()
