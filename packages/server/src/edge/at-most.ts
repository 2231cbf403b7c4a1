/** Waits for an event, but not for ever. */
export async function atMost(limitMs: number, event: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([event, expiry]);
  clearTimeout(timer);
}
