// Seconds that run out. They are counted only while somebody looks.

/** Tell how many seconds are left of some milliseconds, each second; returns how to stop it. */
export function countDown(milliseconds: number, tell: (left: number) => void): () => void {
  const end = performance.now() + milliseconds;
  let timer: number | undefined;
  const tick = (): void => {
    clearTimeout(timer);
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    tell(left);
    if (left > 0 && !document.hidden) timer = window.setTimeout(tick, 1000);
  };
  tick();
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}
