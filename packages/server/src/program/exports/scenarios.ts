/** Scenario files and their validation, for the scenario runner. */
export { ConfigError } from "../../platform/config/faults.ts";
export type { Assertion, Condition } from "../../lab/scenario/scenario.ts";
export { durationText } from "../../lab/scenario/duration.ts";
export { readScenario } from "../../lab/scenario/read-scenario.ts";
export type { Scenario } from "../../lab/scenario/scenario.ts";
export type { Act, TimelinePoint } from "../../lab/scenario/scenario.ts";
export type { AssertKind } from "../../lab/scenario/scenario.ts";
