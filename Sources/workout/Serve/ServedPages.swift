/// The files of the folder Pages, which are in the command itself.
enum ServedPages {
    /// What is served by its name below `/assets/`; nil for anything else.
    static func type(of name: String) -> String? {
        if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
        if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
        return nil
    }

    static func file(_ name: String) -> [UInt8]? { files[name] }

    private static let files: [String: [UInt8]] = [
        "board.html": PackageResources.board_html,
        "board.js": PackageResources.board_js,
        "chart.js": PackageResources.chart_js,
        "connection.js": PackageResources.connection_js,
        "controls.js": PackageResources.controls_js,
        "course.js": PackageResources.course_js,
        "dom.js": PackageResources.dom_js,
        "follow.js": PackageResources.follow_js,
        "key.html": PackageResources.key_html,
        "key.js": PackageResources.key_js,
        "keyform.js": PackageResources.keyform_js,
        "live.html": PackageResources.live_html,
        "live.js": PackageResources.live_js,
        "openapi.json": PackageResources.openapi_json,
        "overlay.css": PackageResources.overlay_css,
        "overlay.html": PackageResources.overlay_html,
        "overlay.js": PackageResources.overlay_js,
        "page.css": PackageResources.page_css,
        "panels.js": PackageResources.panels_js,
        "stream.js": PackageResources.stream_js,
        "summaries.js": PackageResources.summaries_js,
        "zonebar.js": PackageResources.zonebar_js,
        "zones.css": PackageResources.zones_css,
    ]
}
