"""What `centrals.py` and `machines.py` share: devices of bumble on the lab's air, beside its straps."""

import importlib.machinery
import importlib.util
import pathlib
import sys


def prepare(lab_path):
    """Loads the lab, so that its modules and those of bumble can be imported."""
    loader = importlib.machinery.SourceFileLoader("ble_lab", str(pathlib.Path(lab_path).resolve()))
    lab = importlib.util.module_from_spec(importlib.util.spec_from_loader("ble_lab", loader))
    loader.exec_module(lab)
    lab.ready_cache()
    return lab


def device(air, name, address, own="00:00:00:00:00:00"):
    """A device with a random address, after `prepare`."""
    import strap
    from air import Controller
    from bumble.device import Device, DeviceConfiguration
    from bumble.hci import Address
    from bumble.host import Host
    port = strap.Port(Controller(air, name, own, version="4.2"))
    settings = DeviceConfiguration()
    settings.name, settings.address = name, Address(address, Address.RANDOM_DEVICE_ADDRESS)
    return Device(config=settings, host=Host(controller_source=port, controller_sink=port))


def run(lab, lab_path, options, begin):
    """Runs `ble-lab run` with `options`. `begin` is awaited with the straps once they have power; they know their `air`."""
    import strap
    init, power_on = strap.Troupe.__init__, strap.Troupe.power_on

    def init_with_air(troupe, air, *arguments):
        init(troupe, air, *arguments)
        troupe.air = air

    async def power_on_all(troupe):
        await power_on(troupe)
        await begin(troupe)

    strap.Troupe.__init__, strap.Troupe.power_on = init_with_air, power_on_all
    sys.argv = [lab_path, "run"] + options
    sys.exit(lab.main())
