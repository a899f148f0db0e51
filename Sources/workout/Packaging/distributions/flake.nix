# Packages a release's tarball beside this file: nix run .   (its hash is in SHA256SUMS)
{
  description = "Records, replays and simulates workouts with heart-rate straps";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      version = "0.1.0";
      forEach = nixpkgs.lib.genAttrs [ "x86_64-linux" "aarch64-linux" ];
    in
    {
      packages = forEach (system:
        let
          pkgs = nixpkgs.legacyPackages.${system};
          cpu = pkgs.stdenv.hostPlatform.parsed.cpu.name;
        in
        {
          default = pkgs.stdenv.mkDerivation {
            pname = "openhealthkit";
            inherit version;
            src = ./. + "/openhealthkit-${version}-linux-${cpu}.tar.gz";
            nativeBuildInputs = [ pkgs.autoPatchelfHook ];
            buildInputs = with pkgs; [ dbus.lib openssl sqlite stdenv.cc.cc.lib zlib ];
            # Loaded when a store on PostgreSQL is opened.
            runtimeDependencies = [ pkgs.libpq ];
            dontConfigure = true;
            dontBuild = true;
            # Already stripped. Another strip would break its packed tables.
            dontStrip = true;
            installPhase = ''
              mkdir -p $out
              cp -a files/. $out/
              mkdir -p $out/share/systemd
              mv $out/lib/systemd/user $out/share/systemd/user
              rm -r $out/lib/systemd
              sed -i "s|\"/usr/local/bin/|\"$out/bin/|" $out/share/systemd/user/*.service
            '';
            meta = {
              license = pkgs.lib.licenses.asl20;
              mainProgram = "workout";
              platforms = [ "x86_64-linux" "aarch64-linux" ];
            };
          };
        });
    };
}
