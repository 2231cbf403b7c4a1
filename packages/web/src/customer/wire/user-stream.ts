/** The account's own stream: whenever it tells something, the pages ask anew for what they show. */
import { waitBefore } from "../../wire/pacing.ts";
import type { World } from "../../wire/world.ts";
import type { Wire } from "./wire.ts";

/** The first of what is told is heeded at once; however much follows, the pages ask no more often than that. */
const PACE_MS = 3_000;

interface Parts {
  readonly wire: Wire;
  readonly world: World;
  readonly onMoved: () => void;
}

/** Follows it until what is returned is called. A stream that cannot be had, or ends, is asked for again later. */
export function followUser({ wire, world, onMoved }: Parts): () => void {
  let socket: WebSocket | null = null;
  let isWanted = true;
  let failures = 0;
  let stopWaiting = (): void => {};
  let isPausing = false;
  let isTold = false;
  const later = (): void => {
    if (isWanted) stopWaiting = world.after(waitBefore(failures++, world), () => void open());
  };
  const moved = (): void => {
    isTold = true;
    if (isPausing || !isWanted) return;
    isTold = false;
    isPausing = true;
    onMoved();
    world.after(PACE_MS, () => {
      isPausing = false;
      if (isTold) moved();
    });
  };
  // Never rejects.
  const open = async (): Promise<void> => {
    try {
      const { ticket } = await wire.account<{ ticket: string }>("POST", "ticket");
      if (!isWanted) return;
      socket = world.openSocket(
        `${wire.base.replace("http", "ws")}/account/stream?ticket=${encodeURIComponent(ticket)}`,
      );
      socket.addEventListener("open", () => {
        // What happened between two streams was told to nobody.
        if (failures > 0) moved();
        failures = 0;
      });
      socket.addEventListener("message", moved);
      socket.addEventListener("close", later);
    } catch {
      later();
    }
  };
  void open();
  return () => {
    isWanted = false;
    stopWaiting();
    socket?.close();
  };
}
