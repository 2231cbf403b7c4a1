/** In a quiet cluster: checks that all nodes return the same data, equal to the model's. */
import { isDeepStrictEqual } from "node:util";
import { Client, type Credentials } from "@pricetime/testkit/client";
import type { ToldBalance, ToldOrder } from "../clients/operation.ts";
import { type Course, matchesBalances, matchesOrder } from "./course.ts";
import type { Findings } from "./findings.ts";

export interface AgreeingNode {
  readonly name: string;
  readonly rest: string;
}

const KIND = "agreement";
const PAGE = 1_000;

export interface AgreeingAccount extends Credentials {
  readonly email: string;
}

interface Question {
  readonly what: string;
  readonly ask: (node: AgreeingNode) => Promise<unknown>;
  /** Whether the model agrees; undefined: the model is not compared. */
  readonly isModels?: (answer: unknown) => boolean;
}

/**
 * Returns the number of queries sent to each node. Balances and open orders are also compared with the model at the end
 * of `course`.
 */
export async function checkAgreement(
  nodes: readonly AgreeingNode[],
  accounts: readonly AgreeingAccount[],
  symbols: readonly string[],
  course: Course,
  findings: Findings,
): Promise<number> {
  const questions = [
    ...symbols.flatMap((symbol) => publicQuestions(symbol)),
    ...accounts.flatMap((account, at) => [
      balancesOf(account, `account ${at}`, course),
      ask(`open lists of account ${at}`, account, "/api/v3/openOrderList", {}),
      ask(`lists of account ${at}`, account, "/api/v3/allOrderList", { limit: PAGE }),
      ...symbols.flatMap((symbol) => [
        openOrdersOf(account, `account ${at}, ${symbol}`, symbol, course),
        ...questionsOf(account, `account ${at}, ${symbol}`, symbol),
      ]),
    ]),
  ];
  for (const { what, ask: put, isModels } of questions) {
    const answers = await Promise.all(nodes.map(put));
    for (const [at, answer] of answers.entries()) {
      if (isModels?.(answer) === false)
        findings.add(KIND, `${what}: ${nodes[at]?.name} differs from the model: ${text(answer)}`);
      if (isDeepStrictEqual(answer, answers[0])) continue;
      const [one, other] = [text(answers[0]), text(answer)];
      findings.add(KIND, `${what}: ${nodes[0]?.name} has ${one}, ${nodes[at]?.name} has ${other}`);
    }
  }
  return questions.length;
}

function publicQuestions(symbol: string): Question[] {
  const get = (what: string, path: string, parameters: Readonly<Record<string, string | number>>): Question => ({
    what: `${what} of ${symbol}`,
    ask: (node) => withClient(node, undefined, async (client) => (await client.public(path, parameters)).json),
  });
  return [
    get("depth", "/api/v3/depth", { symbol, limit: PAGE }),
    get("trades", "/api/v3/trades", { symbol, limit: PAGE }),
    get("aggregate trades", "/api/v3/aggTrades", { symbol, limit: PAGE }),
    get("klines", "/api/v3/klines", { symbol, interval: "1m", limit: PAGE }),
  ];
}

function balancesOf(account: AgreeingAccount, who: string, course: Course): Question {
  const accountId = course.accountIds.get(account.email) ?? -1;
  const held = course.balances.get(accountId)?.at(-1)?.value;
  const isModels = (answer: unknown): boolean => {
    const { balances } = answer as { readonly balances?: readonly ToldBalance[] };
    return held !== undefined && balances !== undefined && matchesBalances(balances, held);
  };
  return { ...ask(`balances of ${who}`, account, "/api/v3/account", {}), isModels };
}

function openOrdersOf(account: AgreeingAccount, who: string, symbol: string, course: Course): Question {
  const open = course.openAtEnd(course.accountIds.get(account.email) ?? -1, symbol);
  const isModels = (answer: unknown): boolean => {
    if (!Array.isArray(answer) || answer.length !== open.size) return false;
    return (answer as readonly ToldOrder[]).every((told) => matchesOrder(told, open.get(told.clientOrderId)));
  };
  return { ...ask(`open orders of ${who}`, account, "/api/v3/openOrders", { symbol }), isModels };
}

function questionsOf(account: Credentials, who: string, symbol: string): Question[] {
  return [
    pages(`orders of ${who}`, account, "/api/v3/allOrders", symbol, "orderId", 1),
    pages(`trades of ${who}`, account, "/api/v3/myTrades", symbol, "id", 0),
  ];
}

function ask(
  what: string,
  account: Credentials,
  path: string,
  parameters: Readonly<Record<string, string | number>>,
): Question {
  return {
    what,
    ask: (node) => withClient(node, account, async (client) => (await client.patient(path, parameters)).json),
  };
}

/** All pages, merged by the ID of each item. */
function pages(
  what: string,
  account: Credentials,
  path: string,
  symbol: string,
  idName: "orderId" | "id",
  first: number,
): Question {
  const idParameter = idName === "id" ? "fromId" : "orderId";
  return {
    what,
    ask: (node) =>
      withClient(node, account, async (client) => {
        const all: Record<string, unknown>[] = [];
        for (let from = first; ; ) {
          const parameters = { symbol, limit: PAGE, [idParameter]: from };
          const { json } = await client.patient<Record<string, unknown>[]>(path, parameters);
          if (!Array.isArray(json)) return json;
          all.push(...json);
          if (json.length < PAGE) return all;
          from = Number(json.at(-1)?.[idName]) + 1;
        }
      }),
  };
}

async function withClient<T>(
  { rest }: AgreeingNode,
  account: Credentials | undefined,
  run: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(rest, account, 1);
  try {
    return await run(client);
  } finally {
    client.close();
  }
}

function text(answer: unknown): string {
  return (JSON.stringify(answer) ?? "nothing").slice(0, 300);
}
