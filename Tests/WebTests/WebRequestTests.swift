import Testing
import Web

@Suite struct WebRequestTests {
    @Test func `a path and a query are decoded`() {
        let request = WebRequest(method: "GET", target: "/workouts/8%46?theme=light&name=J%C3%BCrgen+M&flag")
        #expect(request.path == "/workouts/8F")
        #expect(request.parts == ["workouts", "8F"])
        #expect(request.query("theme") == "light")
        #expect(request.query("name") == "Jürgen M")
        #expect(request.query("flag") == "")
        #expect(request.query("other") == nil)
    }

    @Test(arguments: ["/%", "/%4", "/%zz", "/%ff"])
    func `invalid text is not a path`(target: String) {
        #expect(WebRequest(method: "GET", target: target).path == nil)
    }

    @Test func `a cookie is found among others`() {
        let request = WebRequest(
            method: "GET", target: "/", headers: [("cookie", "a=b; workout-key = k ;workout-key2=x")])
        #expect(request.cookie("workout-key") == "k")
        #expect(request.cookie("workout") == nil)
    }

    @Test func `an event has the standard's form`() {
        #expect(WebEvent.bytes("figures", id: "12", data: "{}".utf8) == Array("id:12\nevent:figures\ndata:{}\n\n".utf8))
        #expect(WebEvent.bytes(data: "x".utf8) == Array("data:x\n\n".utf8))
    }
}
