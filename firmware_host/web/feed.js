// Following the board: one event stream, opened again whenever it is lost, closed while nobody looks.

const SILENCE_MS = 20_000; // the server is never quiet for longer than 15 s

/**
 * Calls `onMessage(data)` for each message of `event` at `url`, and `onLink(true|false)` when the link
 * comes or goes.
 */
export function follow(url, event, onMessage, onLink = () => {}) {
  let source = null;
  let watchdog = 0;
  let again = 0;

  const heard = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(reopen, SILENCE_MS);
    onLink(true);
  };
  const close = () => {
    clearTimeout(watchdog);
    clearTimeout(again);
    source?.close();
    source = null;
  };
  const open = () => {
    close();
    watchdog = setTimeout(reopen, SILENCE_MS); // a connection that never answers ends too
    source = new EventSource(`${url}?alive=1`);
    source.addEventListener(event, (message) => {
      heard();
      onMessage(JSON.parse(message.data));
    });
    source.addEventListener("alive", heard);
    source.addEventListener("error", () => {
      onLink(false);
      // A broken connection is tried again by the browser itself, a refused one is not.
      if (source?.readyState === EventSource.CLOSED) again = setTimeout(open, 3000);
    });
  };
  const reopen = () => {
    onLink(false);
    open();
  };

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("online", reopen);
  addEventListener("pagehide", close);
  addEventListener("pageshow", (shown) => shown.persisted && open());
  open();
}

/** Sends an order; gives the answer, throws an Error with the server's sentence. */
export async function post(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const given = await answer.json().catch(() => ({ error: `${answer.status}` }));
  if (!answer.ok) throw new Error(given.error);
  return given;
}
