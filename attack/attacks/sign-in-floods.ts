/** Outsiders from many addresses make the node hash passwords and send emails. */
import type { Attack, Row } from "../attack.ts";
import { formatCounts, load } from "../load.ts";
import { besiege, type Siege } from "../siege.ts";

const ADDRESSES = 30;
const CONNECTIONS = 2;
/** More than any address may send while other clients are observed. */
const MOST = 2_000;

/** The bytes of a request with the header of the node's own pages, which anyone can send. */
function post(path: string, body: object): string {
  const json = JSON.stringify(body);
  const head = [
    ...[`POST /account/v1/${path} HTTP/1.1`, "Host: 127.0.0.1", "X-Pricetime-Page: account"],
    ...["Content-Type: application/json", `Content-Length: ${json.length}`],
  ];
  return `${head.join("\r\n")}\r\n\r\n${json}`;
}

type Request = (address: number, i: number) => string;

/** With fewer responses of this status, the attack did not make the node work. */
const LEAST = 60;

function flood(does: string, status: string, request: Request): Siege {
  return {
    name: "sign-in floods",
    does: `from ${ADDRESSES} addresses, ${CONNECTIONS} connections each, without pause: ${does}`,
    strike: async ({ port, isAlive, endMs }) => {
      const isOver = (): boolean => !isAlive() || performance.now() >= endMs;
      const common = { port, connections: CONNECTIONS, count: MOST, isOver };
      const answers = await Promise.all(
        Array.from({ length: ADDRESSES }, (_, address) =>
          load({ ...common, localAddress: `127.0.0.${address + 2}`, request: (i) => request(address, i) }),
        ),
      );
      const sum = sumOf(answers);
      const worked = [...sum].reduce((total, [what, count]) => total + (what.startsWith(status) ? count : 0), 0);
      return { saw: formatCounts(sum), broken: worked < LEAST ? [`only ${worked} got as far as ${status}`] : [] };
    },
  };
}

function sumOf(answers: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const [what, count] of answers.flatMap((one) => [...one])) sum.set(what, (sum.get(what) ?? 0) + count);
  return sum;
}

const nobody = (address: number, i: number): string => `nobody-${address}-${i}@attack.example`;
const password = "not the right one";

const signIns = flood(
  "sign-in with an unknown email address, which costs a password hash like any other",
  "401",
  (address, i) => post("sign-in", { email: nobody(address, i), password }),
);
const emails = flood("sign-up and recovery in turn, each with another email address", "202", (address, i) =>
  post(i % 2 === 0 ? "sign-up" : "password-reset", { email: nobody(address, i) }),
);

export const signInFloods: Attack = {
  name: "sign-in",
  run: async (campaign) => {
    const rows: Row[] = [];
    for (const siege of campaign.isShort ? [signIns] : [signIns, emails]) rows.push(await besiege(campaign, siege));
    return rows;
  },
};
