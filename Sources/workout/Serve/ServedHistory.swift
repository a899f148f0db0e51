import Foundation
import HealthKit
import Mirroring
import Reports
import Web

/// What is stored, for browsers: the list, the page of a workout or of months, and the same as JSON.
///
/// One answer at a time: a page of years is the work of seconds, and live views go on meanwhile.
actor ServedHistory {
    private let environment: HealthEnvironment
    private let page: Page

    init(_ environment: HealthEnvironment) {
        self.environment = environment
        page = Page(columns: .max)
    }

    func answer(_ route: ServeRoute) -> WebResponse {
        do {
            switch route {
            case .history: return Self.report(try HistoryPage(in: environment, page).document)
            case .workoutPage(let id):
                let workout = try AnalyzedWorkout(StoredWorkouts(environment.database).workout(id), environment)
                let page = WorkoutPage(report: workout.report, course: try workout.course(), page: page)
                return Self.report(page.document, hasWays: true)
            case .spanPage(let span):
                let named = ReportSpan.named(span, from: nil, to: environment.time.now(), page)
                return Self.report(try SpanPage(named, in: environment, page).document, hasWays: true)
            case .workouts:
                let listing = WorkoutListing(workouts: try StoredWorkouts(environment.database).all())
                return .json("{\"workouts\":[" + listing.jsonLines.joined(separator: ",") + "]}")
            case .workout(let id):
                let workout = try StoredWorkouts(environment.database).workout(id)
                let summary = try WorkoutSummary(workout, withZonesOf: environment)
                return .json(SummaryJSON.line(workout: summary, file: nil))
            default: return ServeSite.failed(404, "not found")
            }
        } catch let failure as CommandFailure {
            return Self.failed(404, failure.message, route)
        } catch {
            return Self.failed(503, CommandFailure.describe(error), route)
        }
    }

    private static func failed(_ status: Int, _ sentence: String, _ route: ServeRoute) -> WebResponse {
        guard route.isPage else { return ServeSite.failed(status, sentence) }
        var document = ReportDocument(title: "Not found")
        document.body.element("h1", text: "Not found")
        document.body.append(PageParts.reason(sentence))
        return report(document, status: status, hasWays: true)
    }

    /// Its style and its script are in it: no other script is run.
    private static func report(
        _ document: ReportDocument, status: Int = 200, hasWays: Bool = false
    ) -> WebResponse {
        var document = document
        if hasWays {
            var body = HistoryPage.ways
            body.append(document.body)
            document.body = body
        }
        return .page(document.bytes, status: status).with(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(scriptHash)'; img-src data:; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'")
    }

    private static let scriptHash = PageScript.text.withUTF8Buffer { Data(Array($0).sha256).base64EncodedString() }
}
