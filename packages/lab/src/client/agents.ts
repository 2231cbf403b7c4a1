/** Agents beside the bots of a lab, over HTTP. */
import type { AgentGroup, Agents, AgentsWanted } from "../types.ts";
import { type Admin, part } from "./admin.ts";

const PATH = "/v1/lab/agents";

type Named = AgentGroup | AgentGroup["id"];

export class LabAgents implements Agents {
  readonly #admin: Admin;

  constructor(admin: Admin) {
    this.#admin = admin;
  }

  add(wanted: AgentsWanted): Promise<AgentGroup> {
    return this.#admin.ask("POST", PATH, wanted);
  }

  list(): Promise<readonly AgentGroup[]> {
    return this.#admin.ask("GET", PATH);
  }

  turnOff(group: Named): Promise<AgentGroup> {
    return this.#admin.ask("POST", pathOf(group), { isOn: false });
  }

  turnOn(group: Named): Promise<AgentGroup> {
    return this.#admin.ask("POST", pathOf(group), { isOn: true });
  }

  async remove(group: Named): Promise<void> {
    await this.#admin.send(pathOf(group), { method: "DELETE" });
  }
}

const pathOf = (group: Named): string => `${PATH}/${part(String(typeof group === "object" ? group.id : group))}`;
