/** Routes of a lab's agents. docs/guides/lab-agents.md */
import { type EngineView, formatDecimal } from "@pricetime/engine";
import type { AgentGroup as AgentGroupAnswer } from "@pricetime/protocol";
import { z } from "zod";
import { created, ok, Rejection } from "../people/http/answer.ts";
import { findMarket } from "../people/admin/parse.ts";
import { type AdminRoute, labRoute } from "../people/admin/router.ts";
import { AGENT_LIMITS, agentSchema } from "../platform/config/lab-schema.ts";
import type { AgentGroup } from "./demo/agents/agent-group.ts";
import type { LabAgents } from "./demo/agents/lab-agents.ts";

export interface AgentParts {
  /** The agents of the lab; undefined if it runs without bots. */
  readonly agents: () => LabAgents | undefined;
  readonly view: EngineView;
  readonly nowMs: () => number;
}

const ANSWERS =
  "`id`, `type`, `symbol`, `count`, `settings` (the current values of all other settings), `isOn`, `accounts` (their names), and since their creation: `trades`, `volumeQuote`, `positionBase` (the difference from what they were given), `profitQuote` (at the last price).";

export function agentRoutes({ agents, view, nowMs }: AgentParts): AdminRoute[] {
  const bodyOf = (group: AgentGroup): AgentGroupAnswer => bodyOfGroup(view, group);
  const find = (id = ""): { readonly group: AgentGroup; readonly all: LabAgents } => {
    const all = agents();
    const group = /^[1-9][0-9]{0,14}$/.test(id) ? all?.find(Number(id)) : undefined;
    if (all === undefined || group === undefined) {
      throw new Rejection(404, "UNKNOWN_AGENT", `There are no agents ${id}.`);
    }
    return { group, all };
  };
  return [
    labRoute({
      endpoint: "GET /v1/lab/agents",
      summary: "Lists the agents that trade beside the bots, in the order of creation.",
      answers: `For each group: ${ANSWERS}`,
      handle: () => ok((agents()?.groups ?? []).map(bodyOf)),
    }),
    labRoute({
      endpoint: "POST /v1/lab/agents",
      summary: "Adds agents of one type to a symbol, where they trade beside its bots, each with its own account.",
      answers: `${ANSWERS} 404 (UNKNOWN_SYMBOL), 409 (NOT_DRIVEN) where no bots trade, 409 (TOO_MANY).`,
      status: 201,
      body: agentSchema,
      handle: async ({ body }) => {
        findMarket(view, body.symbol);
        const all = agents();
        const why = all === undefined ? "NOT_DRIVEN" : all.whyNot(body);
        if (all === undefined || why === "NOT_DRIVEN") {
          throw new Rejection(409, "NOT_DRIVEN", `No bots trade ${body.symbol}: agents trade beside them.`);
        }
        if (why !== undefined) {
          const { maxGroups, maxAgents } = AGENT_LIMITS;
          throw new Rejection(409, why, `There can be ${maxAgents} agents, in ${maxGroups} groups: remove some first.`);
        }
        return created(bodyOf(await all.add(body, nowMs())));
      },
    }),
    labRoute({
      endpoint: "POST /v1/lab/agents/:id",
      summary: "Pauses agents and cancels their open orders, or resumes them.",
      answers: `${ANSWERS} 404 (UNKNOWN_AGENT).`,
      body: z.strictObject({ isOn: z.boolean() }),
      handle: async ({ path, body }) => {
        const { group, all } = find(path.id);
        await all.turn(group, body.isOn);
        return ok(bodyOf(group));
      },
    }),
    labRoute({
      endpoint: "DELETE /v1/lab/agents/:id",
      summary: "Removes agents. Their open orders are canceled; their accounts stay.",
      answers: "`removed`: 1. 404 (UNKNOWN_AGENT).",
      handle: async ({ path }) => {
        const { group, all } = find(path.id);
        await all.remove(group);
        return ok({ removed: 1 });
      },
    }),
  ];
}

function bodyOfGroup(view: EngineView, group: AgentGroup): AgentGroupAnswer {
  const { id, settings, accounts, market } = group.parts;
  const { type, symbol, count, ...rest } = settings;
  const { trades, volume, base, profit } = group.figures(view);
  const { baseAssetId, quoteAssetId } = market.market;
  const inUnits = (units: bigint, assetId: number): string => {
    const { precision } = view.asset(assetId).spec;
    return formatDecimal(units, precision, precision);
  };
  return {
    ...{ id, type, symbol, count },
    settings: { ...group.sizes, ...rest },
    isOn: group.isOn,
    accounts: accounts.map(({ label }) => label),
    trades,
    volumeQuote: inUnits(volume, quoteAssetId),
    positionBase: inUnits(base, baseAssetId),
    profitQuote: inUnits(profit, quoteAssetId),
  };
}
