/** The real program, by all that clients can reach. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { type EndpointTable, needsKey, VENUE_INTERFACES, type VenueInterfaceName } from "@pricetime/protocol";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, pricetime, startExchange } from "@pricetime/testkit/venue";
import type { Dice } from "@pricetime/testkit/dice";
import { accountConversation } from "./account-api.ts";
import { adminConversation } from "./admin-acts.ts";
import { randomRequest } from "./requests.ts";
import { hostileConversation, readConversation } from "./raw.ts";
import { hostileSocket, methodConversation } from "./sockets.ts";
import type { Target } from "./target.ts";
import { judge } from "./verdict.ts";

/** One node for as long as the target runs; then its log and its journal are looked at. */
function live(
  name: string,
  inCi: number,
  once: (exchange: Exchange, random: Dice, table: EndpointTable) => Promise<void>,
  settings = "",
  venue: VenueInterfaceName = "2019",
): Target {
  return {
    name,
    inCi,
    open: async () => {
      const dataFolder = temporaryFolder();
      const config = `${dataFolder}.yaml`;
      writeFileSync(config, settings);
      const options = ["--bots", "off", "--limits", "off", "--interface", venue];
      const args = [...options, ...(settings === "" ? [] : ["--config", config])];
      const exchange = await startExchange({ dataFolder, args });
      return {
        once: async (random) => {
          await once(exchange, random, VENUE_INTERFACES[venue].endpoints);
          assert.doesNotMatch(
            exchange.output(),
            /a bug of ours|"level":"(?:error|fatal)"/,
            exchange.output().slice(-2_000),
          );
        },
        finish: async () => {
          try {
            assert.equal((await fetch(`${exchange.rest}/api/v3/ping`)).status, 200, "it lives");
            assert.equal(await exchange.stop(), 0, exchange.output().slice(-2_000));
            verifyJournal(dataFolder);
          } finally {
            await exchange.kill();
            rmSync(dataFolder, { recursive: true, force: true });
            rmSync(config, { force: true });
          }
        },
      };
    },
  };
}

/** Half of the executions with each interface. */
function both(name: string, inCi: number, once: Parameters<typeof live>[2]): Target[] {
  return [live(name, inCi / 2, once), live(`${name}-today`, inCi / 2, once, "", "today")];
}

/** Replays all, and checks that every ledger sums to zero, what is locked is needed, and no balance is below zero. */
function verifyJournal(folder: string): void {
  const { code, stdout, stderr } = pricetime("journal", "verify", "--data", folder);
  assert.equal(code, 0, `journal verify: ${stdout}${stderr}`);
}

const AT_A_TIME = 8;
/** At least one request in so many must be carried out, or the requests are too wild to get anywhere. */
const ONE_IN_SO_MANY_WORKS = 8;

interface Talk {
  readonly client: Client;
  sent: number;
  worked: number;
}
const talks = new WeakMap<Exchange, Talk>();

function talkWith(exchange: Exchange): Talk {
  const talk = talks.get(exchange) ?? { client: new Client(exchange.rest, undefined, AT_A_TIME), sent: 0, worked: 0 };
  talks.set(exchange, talk);
  return talk;
}

const rest = both("rest", 400, async (exchange, random, { endpoints }) => {
  const talk = talkWith(exchange);
  const { accounts } = exchange;
  const requests = Array.from({ length: AT_A_TIME }, () => randomRequest(random, accounts, Date.now(), endpoints));
  await Promise.all(
    requests.map(async ({ endpoint, method, path, query, body, headers }) => {
      const sent = { query, headers, ...(body === undefined ? {} : { body }) };
      const { status, text } = await talk.client.send(method, path, sent);
      talk.sent++;
      if (status === 200 && needsKey(endpoint)) talk.worked++;
      const told = JSON.stringify({ method, path, query, body, headers });
      if (method !== "HEAD") judge({ told, mayBeBusy: method === "GET" }, status, text);
    }),
  );
  if (talk.sent > 1_000)
    assert.ok(talk.worked * ONE_IN_SO_MANY_WORKS > talk.sent, `only ${talk.worked} of ${talk.sent}`);
});

const raw = both("http", 600, async (exchange, random, { endpoints }) => {
  const { chunks, told } = hostileConversation(random, exchange.accounts, endpoints);
  for (const { status, body } of await readConversation(exchange.rest, chunks, told)) {
    if (status !== 101) judge({ told, mayBeBusy: true }, status, body);
  }
});

export const LIVE: readonly Target[] = [
  ...rest,
  ...raw,
  ...both("websocket", 200, hostileSocket),
  ...both("ws-api", 40, methodConversation),
  live("account-api", 150, accountConversation, "accounts: { signUp: open }\n"),
  live("admin-api", 150, adminConversation),
];
