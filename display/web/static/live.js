// A stream of pictures that comes back by itself. Whoever hears nothing for five seconds looks at an old picture.
const SILENT_MS = 5000;
const AGAIN_MS = 1000;

export function listen(path, show, lost) {
  let source = null;
  let heard = Date.now();
  const open = () => {
    source?.close();
    heard = Date.now();
    source = new EventSource(path + location.search);
    source.onmessage = (event) => {
      heard = Date.now();
      lost(false);
      show(JSON.parse(event.data));
    };
    source.addEventListener("alive", () => {
      heard = Date.now();
      lost(false);
    });
    source.onerror = () => {
      lost(true);
      if (source.readyState === EventSource.CLOSED) setTimeout(open, AGAIN_MS);
    };
  };
  setInterval(() => {
    if (Date.now() - heard < SILENT_MS) return;
    lost(true);
    open();
  }, AGAIN_MS);
  addEventListener("online", open);
  open();
}
