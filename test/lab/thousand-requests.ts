/** A script of a thousand requests, drawn from a seed, against a lab that is a program of its own. */
import { Client } from "@pricetime/testkit/client";
import { Dice } from "@pricetime/testkit/dice";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";

const REQUESTS = 1_000;
const SYMBOLS = ["BTCUSDT", "ETHUSDT", "ETHBTC"];
const START_MS = 1_767_225_600_000;

/** What came of it. */
export interface Ran {
  readonly chainHash: string;
  readonly lastSeq: number;
  /** Every answer, in order. */
  readonly answers: readonly string[];
}

/** Orders of all kinds, cancels, questions, deposits, and a clock that is advanced between them. */
export async function runScript(seed: number): Promise<Ran> {
  const exchange = await startExchange({
    args: ["--lab", "--clock", "manual", "--limits", "off", "--seed", String(seed)],
  });
  const clients = exchange.accounts.map((account) => new Client(exchange.rest, account));
  const dice = new Dice(seed);
  const answers: string[] = [];
  let nowMs = START_MS;
  try {
    for (let at = 0; at < REQUESTS; at++) {
      if (dice.below(4) === 0) ({ nowMs } = await advance(exchange, dice.below(500)));
      answers.push(await ask(exchange, clients[dice.below(clients.length)] as Client, dice, nowMs));
    }
    const head = await operate<Ran>(exchange, "GET", "/v1/journal");
    return { chainHash: head.chainHash, lastSeq: head.lastSeq, answers };
  } finally {
    for (const client of clients) client.close();
    await exchange.stop();
  }
}

function advance(exchange: Exchange, ms: number): Promise<{ readonly nowMs: number; readonly seq: number }> {
  return operate(exchange, "POST", "/v1/lab/clock/advance", { ms });
}

async function ask(exchange: Exchange, client: Client, dice: Dice, timestamp: number): Promise<string> {
  const symbol = SYMBOLS[dice.below(SYMBOLS.length)] ?? "";
  const side = dice.below(2) === 0 ? "BUY" : "SELL";
  const about = { symbol, timestamp };
  const kind = dice.below(10);
  if (kind < 3) {
    const { json } = await client.public<{ bids: string[][]; asks: string[][] }>("/api/v3/depth", { symbol, limit: 5 });
    const price = (side === "BUY" ? json.bids : json.asks)[dice.below(5)]?.[0] ?? "1";
    const order = { ...about, side, type: "LIMIT", timeInForce: "GTC", quantity: "0.05", price };
    return (await client.signed("POST", "/api/v3/order", order)).text;
  }
  if (kind < 5)
    return (await client.signed("POST", "/api/v3/order", { ...about, side, type: "MARKET", quantity: "0.05" })).text;
  if (kind < 7) return (await client.signed("DELETE", "/api/v3/openOrders", about)).text;
  if (kind < 8) return (await client.signed("GET", "/api/v3/account", { timestamp })).text;
  if (kind < 9) return (await client.signed("GET", "/api/v3/myTrades", about)).text;
  if (dice.below(2) === 0) return coins(exchange, dice);
  const grant = {
    account: exchange.accounts[0]?.email,
    asset: "USDT",
    amount: "10",
    reference: `${timestamp} ${dice.below(1e9)}`,
  };
  return JSON.stringify(await operate(exchange, "POST", "/v1/deposits", grant));
}

/** A deposit on its way, and blocks: what a network does about them goes on after the answer. */
async function coins(exchange: Exchange, dice: Dice): Promise<string> {
  const sandbox = "/v1/networks/BTC/sandbox";
  const payment = { asset: "BTC", account: exchange.accounts[0]?.email, amount: String(dice.between(1, 9)) };
  const paid = await operate(exchange, "POST", `${sandbox}/faucet`, payment);
  const head = await operate(exchange, "POST", `${sandbox}/mine`, { blocks: dice.between(1, 3) });
  return JSON.stringify([paid, head]);
}
