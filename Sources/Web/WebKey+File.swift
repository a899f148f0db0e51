package import Foundation
package import Mirroring

extension WebKey {
    static let fileName = "web.key"

    /// Reads this user's key in this folder, or makes one at first use, so that browsers that have it need not be told again.
    ///
    /// - Parameter isRenewed: Makes a new one: who had the old one is out.
    package static func kept(in folder: URL, isRenewed: Bool = false) throws(MirrorError) -> WebKey {
        try PrivateFile.makeFolder(folder)
        let file = folder.appendingPathComponent(fileName)
        return try PrivateFile.exclusively(folder.appendingPathComponent("web.lock")) { () throws(MirrorError) in
            if !isRenewed, let bytes = try PrivateFile.read(file) {
                guard let key = WebKey(String(decoding: bytes, as: UTF8.self)) else {
                    throw .file(path: file.path, reason: "no key is in it; remove it, and another one is made")
                }
                return key
            }
            let key = WebKey()
            try PrivateFile.write(Data((key.text + "\n").utf8), to: file)
            return key
        }
    }
}
