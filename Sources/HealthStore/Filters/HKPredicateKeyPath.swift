// The names of properties in `NSPredicate(format:)`. Values as measured on Apple's systems.

/// The UUID of an object: compared with a `UUID` or its string, by `==` and `IN`.
public let HKPredicateKeyPathUUID = "UUID"
/// The source of an object: compared with an `HKSource`; `source.name` and `source.bundleIdentifier` with texts.
public let HKPredicateKeyPathSource = "source"
/// Compared with an `HKSourceRevision`. One with only a source and a version matches any product and system.
public let HKPredicateKeyPathSourceRevision = "sourceRevision"
/// Compared with all properties of an `HKDevice`. `device.name` and similar paths are compared with texts or nil.
public let HKPredicateKeyPathDevice = "device"
/// Followed by a dot and a key: `metadata.HKWasUserEntered == YES`. Compared with nil for samples without the key.
public let HKPredicateKeyPathMetadata = "metadata"
/// Compared with nil, for samples outside correlations.
public let HKPredicateKeyPathCorrelation = "correlation"
/// The workout that a sample belongs to: compared with an `HKWorkout` or its UUID.
public let HKPredicateKeyPathWorkout = "workout"

/// Compared with a `Date`.
public let HKPredicateKeyPathStartDate = "startDate"
/// Compared with a `Date`.
public let HKPredicateKeyPathEndDate = "endDate"

/// The value of a quantity sample; of a series, its sum or average. Compared with an `HKQuantity` of any unit that
/// converts.
public let HKPredicateKeyPathQuantity = "quantity"
/// How many quantities or measurements a series has; 1 for a plain sample. Compared with a whole number.
public let HKPredicateKeyPathCount = "count"
/// The value of a category sample. Compared with a whole number, or a case of its enumeration.
public let HKPredicateKeyPathCategoryValue = "value"
/// The sum of a cumulative sample is its quantity.
public let HKPredicateKeyPathSum = "quantity"
/// The average of a discrete sample is its quantity.
public let HKPredicateKeyPathAverage = "quantity"
/// The least value of a discrete sample. Compared with an `HKQuantity`.
public let HKPredicateKeyPathMin = "min"
/// The greatest value of a discrete sample. Compared with an `HKQuantity`.
public let HKPredicateKeyPathMax = "max"
/// The latest value of a discrete sample. Compared with an `HKQuantity`.
public let HKPredicateKeyPathMostRecent = "most_recent"
/// When the latest value of a discrete sample begins. Compared with a `Date`.
public let HKPredicateKeyPathMostRecentStartDate = "most_recent_start_date"
/// When the latest value of a discrete sample ends. Compared with a `Date`.
public let HKPredicateKeyPathMostRecentEndDate = "most_recent_end_date"
/// For how long the latest value of a discrete sample held. Compared with a number of seconds.
public let HKPredicateKeyPathMostRecentDuration = "most_recent_duration"

/// In seconds, without pauses.
public let HKPredicateKeyPathWorkoutDuration = "duration"
/// Compared with an `HKQuantity` of length. A workout without the total matches `!=` only.
public let HKPredicateKeyPathWorkoutTotalDistance = "totalDistance"
/// Compared with an `HKQuantity` of energy. A workout without the total matches `!=` only.
public let HKPredicateKeyPathWorkoutTotalEnergyBurned = "totalEnergyBurned"
/// Compared with an `HKQuantity` in counts. A workout without the total matches `!=` only.
public let HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount = "totalSwimmingStrokeCount"
/// Compared with an `HKQuantity` in counts. A workout without the total matches `!=` only.
public let HKPredicateKeyPathWorkoutTotalFlightsClimbed = "totalFlightsClimbed"
/// Compared with an `HKWorkoutActivityType` or its raw value.
public let HKPredicateKeyPathWorkoutType = "workoutType"
/// Followed by a dot and the identifier of a quantity type, as the three below.
public let HKPredicateKeyPathWorkoutSumQuantity = "sumQuantity"
/// Followed by a dot and the identifier of a quantity type: the least value in the workout.
public let HKPredicateKeyPathWorkoutMinimumQuantity = "minimumQuantity"
/// Followed by a dot and the identifier of a quantity type: the greatest value in the workout.
public let HKPredicateKeyPathWorkoutMaximumQuantity = "maximumQuantity"
/// Followed by a dot and the identifier of a quantity type: the average in the workout.
public let HKPredicateKeyPathWorkoutAverageQuantity = "averageQuantity"
/// Followed by a dot and one of the names below: a workout with such an activity.
public let HKPredicateKeyPathWorkoutActivity = "workoutActivity"

/// The type of a workout's activity. Compared with an `HKWorkoutActivityType` or its raw value.
public let HKPredicateKeyPathWorkoutActivityType = "activityType"
/// In seconds, without pauses.
public let HKPredicateKeyPathWorkoutActivityDuration = "activityDuration"
/// Compared with a `Date`.
public let HKPredicateKeyPathWorkoutActivityStartDate = "activityStartDate"
/// Compared with a `Date`.
public let HKPredicateKeyPathWorkoutActivityEndDate = "activityEndDate"
/// Followed by a dot and the identifier of a quantity type, as the three below.
public let HKPredicateKeyPathWorkoutActivitySumQuantity = "activitySumQuantity"
/// Followed by a dot and the identifier of a quantity type: the least value in the activity.
public let HKPredicateKeyPathWorkoutActivityMinimumQuantity = "activityMinimumQuantity"
/// Followed by a dot and the identifier of a quantity type: the greatest value in the activity.
public let HKPredicateKeyPathWorkoutActivityMaximumQuantity = "activityMaximumQuantity"
/// Followed by a dot and the identifier of a quantity type: the average in the activity.
public let HKPredicateKeyPathWorkoutActivityAverageQuantity = "activityAverageQuantity"

/// The day of an activity summary. Compared with `DateComponents` that have a calendar, a year, a month and a day.
public let HKPredicateKeyPathDateComponents = "dateComponents"

/// Of an electrocardiogram. Compared with an `HKQuantity` in `count/min`; those without one match `!=` only.
public let HKPredicateKeyPathAverageHeartRate = "ecg_average_heart_rate"
/// Of an electrocardiogram. Compared with the raw value of a classification.
public let HKPredicateKeyPathECGClassification = "ecg_public_classification"
/// Of an electrocardiogram. Compared with the raw value of a status.
public let HKPredicateKeyPathECGSymptomsStatus = "ecg_symptoms_status"
/// Of a clinical document. Compared with a text, also by `CONTAINS`, `LIKE` and `MATCHES`.
public let HKPredicateKeyPathCDATitle = "title"
/// Of a clinical document: the patient. Compared with a text.
public let HKPredicateKeyPathCDAPatientName = "patient_name"
/// Of a clinical document: the author. Compared with a text.
public let HKPredicateKeyPathCDAAuthorName = "author_name"
/// Of a clinical document: the custodian. Compared with a text.
public let HKPredicateKeyPathCDACustodianName = "custodian_name"
/// The source's identifier of a clinical record's resource. Compared with a text.
public let HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier = "FHIRResource.identifier"
/// The raw value of ``HKFHIRResourceType``. Compared with a text.
public let HKPredicateKeyPathClinicalRecordFHIRResourceType = "FHIRResource.resourceType"
/// Of a dose of medication: the raw value of its log status.
public let HKPredicateKeyPathStatus = "status"
/// Of a dose of medication: when it was due. Compared with a `Date`, or with nil for doses taken as needed.
public let HKPredicateKeyPathScheduledDate = "scheduledDate"
/// Of a dose of medication. Compared with an ``HKHealthConceptIdentifier`` by `==`.
public let HKPredicateKeyPathMedicationConceptIdentifier = "medicationConceptIdentifier"
/// The origin of a dose, which only Apple's systems know. No dose here has one.
public let HKPredicateKeyPathLogOrigin = "logOrigin"
/// An effort sample's workout: compared with an `HKWorkout` or its UUID.
public let HKPredicateKeyPathWorkoutEffortRelationship = "ratingOfExertionAssociation"

/// Of a user's medication: whether it is archived.
public let HKUserAnnotatedMedicationPredicateKeyPathIsArchived = "isArchived"
/// Of a user's medication: whether it has a schedule.
public let HKUserAnnotatedMedicationPredicateKeyPathHasSchedule = "hasSchedule"
