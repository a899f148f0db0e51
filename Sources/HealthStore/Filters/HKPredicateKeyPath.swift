// The names of properties in `NSPredicate(format:)`. Values as measured on Apple's systems.

public let HKPredicateKeyPathUUID = "UUID"
public let HKPredicateKeyPathSource = "source"
public let HKPredicateKeyPathSourceRevision = "sourceRevision"
public let HKPredicateKeyPathDevice = "device"
public let HKPredicateKeyPathMetadata = "metadata"
public let HKPredicateKeyPathCorrelation = "correlation"
public let HKPredicateKeyPathWorkout = "workout"

public let HKPredicateKeyPathStartDate = "startDate"
public let HKPredicateKeyPathEndDate = "endDate"

public let HKPredicateKeyPathQuantity = "quantity"
public let HKPredicateKeyPathCount = "count"
public let HKPredicateKeyPathCategoryValue = "value"
/// The sum of a cumulative sample is its quantity.
public let HKPredicateKeyPathSum = "quantity"
/// The average of a discrete sample is its quantity.
public let HKPredicateKeyPathAverage = "quantity"
public let HKPredicateKeyPathMin = "min"
public let HKPredicateKeyPathMax = "max"
public let HKPredicateKeyPathMostRecent = "most_recent"
public let HKPredicateKeyPathMostRecentStartDate = "most_recent_start_date"
public let HKPredicateKeyPathMostRecentEndDate = "most_recent_end_date"
public let HKPredicateKeyPathMostRecentDuration = "most_recent_duration"

public let HKPredicateKeyPathWorkoutDuration = "duration"
public let HKPredicateKeyPathWorkoutTotalDistance = "totalDistance"
public let HKPredicateKeyPathWorkoutTotalEnergyBurned = "totalEnergyBurned"
public let HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount = "totalSwimmingStrokeCount"
public let HKPredicateKeyPathWorkoutTotalFlightsClimbed = "totalFlightsClimbed"
public let HKPredicateKeyPathWorkoutType = "workoutType"
/// Followed by a dot and the identifier of a quantity type, as the three below.
public let HKPredicateKeyPathWorkoutSumQuantity = "sumQuantity"
public let HKPredicateKeyPathWorkoutMinimumQuantity = "minimumQuantity"
public let HKPredicateKeyPathWorkoutMaximumQuantity = "maximumQuantity"
public let HKPredicateKeyPathWorkoutAverageQuantity = "averageQuantity"
/// Followed by a dot and one of the names below: a workout with such an activity.
public let HKPredicateKeyPathWorkoutActivity = "workoutActivity"

public let HKPredicateKeyPathWorkoutActivityType = "activityType"
public let HKPredicateKeyPathWorkoutActivityDuration = "activityDuration"
public let HKPredicateKeyPathWorkoutActivityStartDate = "activityStartDate"
public let HKPredicateKeyPathWorkoutActivityEndDate = "activityEndDate"
/// Followed by a dot and the identifier of a quantity type, as the three below.
public let HKPredicateKeyPathWorkoutActivitySumQuantity = "activitySumQuantity"
public let HKPredicateKeyPathWorkoutActivityMinimumQuantity = "activityMinimumQuantity"
public let HKPredicateKeyPathWorkoutActivityMaximumQuantity = "activityMaximumQuantity"
public let HKPredicateKeyPathWorkoutActivityAverageQuantity = "activityAverageQuantity"

public let HKPredicateKeyPathDateComponents = "dateComponents"

public let HKPredicateKeyPathAverageHeartRate = "ecg_average_heart_rate"
public let HKPredicateKeyPathECGClassification = "ecg_public_classification"
public let HKPredicateKeyPathECGSymptomsStatus = "ecg_symptoms_status"
public let HKPredicateKeyPathCDATitle = "title"
public let HKPredicateKeyPathCDAPatientName = "patient_name"
public let HKPredicateKeyPathCDAAuthorName = "author_name"
public let HKPredicateKeyPathCDACustodianName = "custodian_name"
public let HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier = "FHIRResource.identifier"
public let HKPredicateKeyPathClinicalRecordFHIRResourceType = "FHIRResource.resourceType"
public let HKPredicateKeyPathStatus = "status"
public let HKPredicateKeyPathScheduledDate = "scheduledDate"
public let HKPredicateKeyPathMedicationConceptIdentifier = "medicationConceptIdentifier"
public let HKPredicateKeyPathLogOrigin = "logOrigin"
/// An effort sample's workout: compared with an `HKWorkout` or its UUID.
public let HKPredicateKeyPathWorkoutEffortRelationship = "ratingOfExertionAssociation"

public let HKUserAnnotatedMedicationPredicateKeyPathIsArchived = "isArchived"
public let HKUserAnnotatedMedicationPredicateKeyPathHasSchedule = "hasSchedule"
