/**
 * All history queries by name. The types of the port, the reader threads and the lab derive from this object: to add a
 * query, add a function to the file of its subject.
 */
import type { DatabaseSync } from "node:sqlite";
import { businessQueries } from "./business-queries.ts";
import { findQueries } from "./find-queries.ts";
import { HistoryTables } from "./history-tables.ts";
import { klineQueries } from "./kline-queries.ts";
import { operatorQueries } from "./operator-queries.ts";
import { portfolioQueries } from "./portfolio-queries.ts";
import { statementQueries } from "./statement-queries.ts";
import { timeLineQueries } from "./time-line-queries.ts";
import { tradingQueries } from "./trading-queries.ts";
import { walletQueries } from "./wallet-queries.ts";

type Queries = typeof tradingQueries &
  typeof klineQueries &
  typeof walletQueries &
  typeof statementQueries &
  typeof operatorQueries &
  typeof timeLineQueries &
  typeof findQueries &
  typeof businessQueries &
  typeof portfolioQueries;

const QUERIES: Queries = {
  ...{ ...tradingQueries, ...klineQueries, ...walletQueries, ...statementQueries },
  ...{ ...operatorQueries, ...timeLineQueries, ...findQueries, ...businessQueries, ...portfolioQueries },
};

export type QueryName = keyof Queries;
export type Arguments<Name extends QueryName> = Parameters<Queries[Name]>[1];
export type Answer<Name extends QueryName> = ReturnType<Queries[Name]>;
export type Query = <Name extends QueryName>(name: Name, args: Arguments<Name>) => Answer<Name>;

/** Returns a function that runs any query on this connection. */
export function openQueries(database: DatabaseSync): Query {
  const tables = new HistoryTables(database);
  return (name, args) => (QUERIES[name] as (tables: HistoryTables, args: unknown) => never)(tables, args);
}
