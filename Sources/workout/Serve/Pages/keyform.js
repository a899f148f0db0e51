// The form that shows the key to the server; it answers with a cookie.

import { tr } from "./dom.js";

export function setUpKeyForm(form, onDone) {
  const field = form.elements.key;
  const error = form.querySelector(".error");
  let isSending = false;

  function fail(text) {
    error.textContent = text;
    field.setAttribute("aria-invalid", "true");
    field.select();
    field.focus();
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSending) return;
    const key = field.value.trim();
    if (!key) return fail(tr("Enter the key first."));
    isSending = true;
    error.textContent = "";
    field.removeAttribute("aria-invalid");
    try {
      const response = await fetch("/api/key", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ key }),
      });
      if (!response.ok) return fail(await errorText(response));
      field.value = "";
      onDone();
    } catch {
      fail(tr("The server cannot be reached. Is “workout” still running?"));
    } finally {
      isSending = false;
    }
  });
}

// What the server says went wrong, in its own words where it has any.
export async function errorText(response) {
  try {
    const { error } = await response.json();
    if (error) return String(error);
  } catch {
    // no JSON: the status says as much
  }
  return tr("The server refused (%1).", response.status);
}
