/** What clients ask of the wallet and of other markets while they load. FACTS 0.16, CLIENTS. */
import type { Endpoint } from "../endpoint.ts";
import { OPTIONAL_SYMBOL } from "./parameters.ts";

export const WALLET = [
  {
    id: "capital.coins",
    method: "GET",
    paths: ["/sapi/v1/capital/config/getall"],
    family: "sapi",
    security: "USER_DATA",
    weight: 1,
    parameters: [],
    summary: "Coins with their networks, fees and the account's balances.",
  },
  {
    id: "asset.tradeFee",
    method: "GET",
    paths: ["/sapi/v1/asset/tradeFee"],
    family: "sapi",
    security: "USER_DATA",
    weight: 1,
    parameters: [OPTIONAL_SYMBOL],
    summary: "The account's commission rates, of one symbol or all.",
  },
  {
    id: "system.status",
    method: "GET",
    paths: ["/sapi/v1/system/status"],
    family: "sapi",
    security: "NONE",
    weight: 1,
    parameters: [],
    summary: "Whether the service is up.",
  },
  {
    id: "margin.pairs",
    method: "GET",
    paths: ["/sapi/v1/margin/allPairs", "/sapi/v1/margin/isolated/allPairs"],
    family: "sapi",
    security: "NONE",
    weight: 1,
    parameters: [],
    summary: "Margin markets: there are none.",
  },
  {
    id: "futures.exchangeInfo",
    method: "GET",
    paths: ["/fapi/v1/exchangeInfo", "/dapi/v1/exchangeInfo"],
    family: "api",
    security: "NONE",
    weight: 1,
    parameters: [],
    summary: "Futures markets: there are none.",
  },
] as const satisfies readonly Endpoint[];
