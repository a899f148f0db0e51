extension HKStateOfMind {
    /// Seven steps of pleasantness.
    public enum ValenceClassification: Int, Sendable {
        /// Below −5/7.
        case veryUnpleasant = 1
        /// From −5/7 to below −3/7.
        case unpleasant = 2
        /// From −3/7 to below −1/7.
        case slightlyUnpleasant = 3
        /// From −1/7 to below 1/7.
        case neutral = 4
        /// From 1/7 to below 3/7.
        case slightlyPleasant = 5
        /// From 3/7 to below 5/7.
        case pleasant = 6
        /// 5/7 and above.
        case veryPleasant = 7

        /// Creates the step of a valence. Returns nil outside −1 … +1.
        ///
        /// Apple does not publish the limits. Here the seven steps are equally wide, and neutral lies around 0. A limit
        /// belongs to the step farther from 0 on the pleasant side and nearer to it on the other.
        public init?(valence: Double) {
            guard (-1...1).contains(valence) else { return nil }
            let step = Int(((valence + 1) / 2 * 7).rounded(.down)) + 1
            self.init(rawValue: min(step, 7))
        }
    }

    /// Words for a feeling.
    public enum Label: Int, Sendable {
        /// Raw value 1.
        case amazed = 1
        /// Raw value 2.
        case amused = 2
        /// Raw value 3.
        case angry = 3
        /// Raw value 4.
        case anxious = 4
        /// Raw value 5.
        case ashamed = 5
        /// Raw value 6.
        case brave = 6
        /// Raw value 7.
        case calm = 7
        /// Raw value 8.
        case content = 8
        /// Raw value 9.
        case disappointed = 9
        /// Raw value 10.
        case discouraged = 10
        /// Raw value 11.
        case disgusted = 11
        /// Raw value 12.
        case embarrassed = 12
        /// Raw value 13.
        case excited = 13
        /// Raw value 14.
        case frustrated = 14
        /// Raw value 15.
        case grateful = 15
        /// Raw value 16.
        case guilty = 16
        /// Raw value 17.
        case happy = 17
        /// Raw value 18.
        case hopeless = 18
        /// Raw value 19.
        case irritated = 19
        /// Raw value 20.
        case jealous = 20
        /// Raw value 21.
        case joyful = 21
        /// Raw value 22.
        case lonely = 22
        /// Raw value 23.
        case passionate = 23
        /// Raw value 24.
        case peaceful = 24
        /// Raw value 25.
        case proud = 25
        /// Raw value 26.
        case relieved = 26
        /// Raw value 27.
        case sad = 27
        /// Raw value 28.
        case scared = 28
        /// Raw value 29.
        case stressed = 29
        /// Raw value 30.
        case surprised = 30
        /// Raw value 31.
        case worried = 31
        /// Raw value 32.
        case annoyed = 32
        /// Raw value 33.
        case confident = 33
        /// Raw value 34.
        case drained = 34
        /// Raw value 35.
        case hopeful = 35
        /// Raw value 36.
        case indifferent = 36
        /// Raw value 37.
        case overwhelmed = 37
        /// Raw value 38.
        case satisfied = 38
    }

    /// The part of life that a feeling is related to.
    public enum Association: Int, Sendable {
        /// Raw value 1.
        case community = 1
        /// Raw value 2.
        case currentEvents = 2
        /// Raw value 3.
        case dating = 3
        /// Raw value 4.
        case education = 4
        /// Raw value 5.
        case family = 5
        /// Raw value 6.
        case fitness = 6
        /// Raw value 7.
        case friends = 7
        /// Raw value 8.
        case health = 8
        /// Raw value 9.
        case hobbies = 9
        /// Raw value 10.
        case identity = 10
        /// Raw value 11.
        case money = 11
        /// Raw value 12.
        case partner = 12
        /// Raw value 13.
        case selfCare = 13
        /// Raw value 14.
        case spirituality = 14
        /// Raw value 15.
        case tasks = 15
        /// Raw value 16.
        case travel = 16
        /// Raw value 17.
        case work = 17
        /// Raw value 18.
        case weather = 18
    }
}
