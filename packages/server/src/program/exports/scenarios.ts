/** Scenario files and their validation, for the scenario runner. */
export { ConfigError } from "../../platform/config/faults.ts";
export type {
  Act,
  Assertion,
  AssertKind,
  Condition,
  Scenario,
  TimelinePoint,
} from "../../lab/scenario/scenario.ts";
export { durationText } from "../../lab/scenario/duration.ts";
export { readScenario } from "../../lab/scenario/read-scenario.ts";
