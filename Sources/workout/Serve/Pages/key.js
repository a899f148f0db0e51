// The page that asks for the key: at /key, and at any address beyond loopback until it is shown.

import { byID } from "./dom.js";
import { setUpKeyForm } from "./keyform.js";

function goOn() {
  if (location.pathname === "/key") location.replace("/");
  else location.reload();
}

setUpKeyForm(byID("key-form"), goOn);

try {
  const { hasKey } = await (await fetch("/api/access", { cache: "no-store" })).json();
  byID("has-key").hidden = !hasKey;
} catch {
  // the form says it when the server is out of reach
}
