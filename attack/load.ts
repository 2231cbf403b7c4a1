/** Requests as fast as they are answered, over a few connections from one address. */
import { RawConnection } from "../test/raw-http.ts";

export interface Load {
  readonly port: number;
  readonly localAddress: string;
  readonly connections: number;
  readonly count: number;
  /** Whole bytes of the request of this number. */
  readonly request: (i: number) => string;
  /** Nothing more is sent once it says so. */
  readonly isOver?: () => boolean;
}

/** Resolves to how often each status (and code) was answered; a lost connection is one of them. */
export async function load({
  port,
  localAddress,
  connections,
  count,
  request,
  isOver,
}: Load): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const add = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  let next = 0;
  const goesOn = (): boolean => next < count && isOver?.() !== true;
  const lane = async (): Promise<void> => {
    while (goesOn()) {
      const lost = Promise.withResolvers<false>();
      const connection = await RawConnection.open(port, () => lost.resolve(false), localAddress).catch(() => undefined);
      if (connection === undefined) return add("no connection");
      while (goesOn()) {
        const bytes = request(next++);
        const answered = new Promise<true>((done) =>
          connection.send(bytes, (status, body) => {
            add(status === 200 ? "200" : `${status} ${/"code":(-\d+)/.exec(body.slice(0, 200))?.[1] ?? ""}`.trim());
            done(true);
          }),
        );
        if (await Promise.race([answered, lost.promise])) continue;
        add("connection lost");
        break;
      }
      connection.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return counts;
}

/** `990 x 200, 200 x 429 -1003`. */
export function told(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, count]) => `${count} x ${what}`).join(", ");
}
