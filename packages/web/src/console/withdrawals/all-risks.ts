/** Asks for the risks of every withdrawal that waits: a page at a time, so that none looks harmless for want of a look. */
import type { Ask } from "../asked.ts";
import type { Risk } from "./withdrawal.ts";

/** The most that the node tells at once. */
export const RISKS_A_PAGE = 500;

export const askAllRisks: Ask = async (admin, path, query) => {
  const risks: Risk[] = [];
  for (let place = {}; ; ) {
    const page = await admin.ask<readonly Risk[]>("GET", path, { query: { ...query, ...place, limit: RISKS_A_PAGE } });
    risks.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < RISKS_A_PAGE) return risks;
    place = { after: `${last.applyTimeMs}.${last.withdrawalId}` };
  }
};
