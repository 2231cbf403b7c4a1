/** Named moments to go back to, over HTTP. */
import type { Checkpoint, Checkpoints, Restore } from "../types.ts";
import { type Admin, part } from "./admin.ts";

const PATH = "/v1/lab/checkpoints";

export class LabCheckpoints implements Checkpoints {
  readonly #admin: Admin;

  constructor(admin: Admin) {
    this.#admin = admin;
  }

  make(name: string, options: { readonly replace?: boolean } = {}): Promise<Checkpoint> {
    return this.#admin.ask("POST", PATH, { name, ...options });
  }

  restore(name: string, options: Restore = {}): Promise<Checkpoint> {
    return this.#admin.ask("POST", `${PATH}/${part(name)}/restore`, options);
  }

  reset(options: Restore = {}): Promise<Omit<Checkpoint, "name">> {
    return this.#admin.ask("POST", "/v1/lab/reset", options);
  }

  takeStart(): Promise<Omit<Checkpoint, "name">> {
    return this.#admin.ask("PUT", "/v1/lab/reset");
  }

  list(): Promise<readonly Checkpoint[]> {
    return this.#admin.ask("GET", PATH);
  }

  show(name: string): Promise<Record<string, unknown>> {
    return this.#admin.ask("GET", `${PATH}/${part(name)}`);
  }

  async delete(name: string): Promise<void> {
    await this.#admin.send(`${PATH}/${part(name)}`, { method: "DELETE" });
  }

  export(name: string): Promise<Uint8Array> {
    return this.#admin.send(`${PATH}/${part(name)}/file`, { method: "GET" });
  }

  async import(name: string, file: Uint8Array): Promise<Checkpoint> {
    const headers = { "content-type": "application/octet-stream" };
    const answer = await this.#admin.send(`${PATH}/${part(name)}/file`, { method: "POST", headers, body: file });
    return JSON.parse(answer.toString("utf8")) as Checkpoint;
  }
}
