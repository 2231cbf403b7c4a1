/** The commands for dual approval: its rules, approval requests, and the emergency override. */
import { Argument, type Command } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape, readDocument, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

export function addApprovalCommands(program: Command, terminal: Terminal): void {
  const rules = program.command("approval-rules [file]");
  rules.description("Show which actions need approval, or replace the rules by a file (- for stdin).");
  action(rules, terminal, async ({ connection, output }, [path]) => {
    const shown =
      path === undefined
        ? connection.call<Row>("GET", "/v1/approval-rules")
        : connection.call<Row>("PUT", "/v1/approval-rules", readDocument(path));
    output.one(await shown);
  });
  addApprovalRequests(program, terminal);
  addEmergencyOverride(program, terminal);
}

function addApprovalRequests(program: Command, terminal: Terminal): void {
  const request = program.command("approval-request");
  request.description("List, create, approve and reject approval requests.");
  const list = request.command("list").description("List actions that wait for approval, oldest first.");
  action(list, terminal, async ({ connection, output }) => {
    const rows = await connection.call<Row[]>("GET", "/v1/approval-requests");
    const columns = ["requestId", "version", "type", "why", "authors", "approvals", "approvalsNeeded", "untilMs"];
    output.rows(output.isJson ? rows : rows.map((row) => ({ ...row, type: (row["action"] as Row)["type"] })), columns);
  });
  action(
    request.command("show <request>").description("Show an approval request with its action."),
    terminal,
    async ({ connection, output }, [id = ""]) =>
      output.one(await connection.call<Row>("GET", `/v1/approval-requests/${escape(id)}`)),
  );
  const create = request.command("create <file>");
  create.description("Request approval of an action in a JSON or YAML file, as the error NEEDS_APPROVAL printed it.");
  create.requiredOption("--why <text>", "Reason, shown to the approver");
  action(create, terminal, async ({ connection, output }, [path = ""], { why }) =>
    output.one(await connection.call<Row>("POST", "/v1/approval-requests", { action: readDocument(path), why })),
  );
  const change = request.command("change <request> <file>");
  change.description("Change the action or the reason. Approvals given so far become void.");
  change.requiredOption("--at-version <number>", "Version of the request that you reviewed", wholeNumber);
  change.requiredOption("--why <text>", "Reason, shown to the approver");
  action(change, terminal, async ({ connection, output }, [id = "", path = ""], { atVersion: version, why }) => {
    const body = { version, action: readDocument(path), why };
    output.one(await connection.call<Row>("PUT", `/v1/approval-requests/${escape(id)}`, body));
  });
  const approve = request.command("approve <request>");
  approve.description("Approve a request. The last approval needed executes the action.");
  approve.requiredOption("--at-version <number>", "Version of the request that you reviewed", wholeNumber);
  action(approve, terminal, async ({ connection, output }, [id = ""], { atVersion: version }) =>
    output.one(await connection.call<Row>("POST", `/v1/approval-requests/${escape(id)}/approve`, { version })),
  );
  const reject = request.command("reject <request>").description("Reject a request, or withdraw your own.");
  reject.requiredOption("--why <text>", "Reason, shown to the author");
  action(reject, terminal, async ({ connection, output }, [id = ""], { why }) =>
    output.one(await connection.call<Row>("POST", `/v1/approval-requests/${escape(id)}/reject`, { why })),
  );
}

function addEmergencyOverride(program: Command, terminal: Terminal): void {
  const command = program.command("emergency-override");
  command.addArgument(
    new Argument("[announce|cancel]", "Announce or cancel the override; without it, show its state").choices([
      "announce",
      "cancel",
    ]),
  );
  command.description("Switch off dual approval 24 hours after an announcement, if no second approver is available.");
  command.option("--why <text>", "Reason, emailed to every operator (with announce)");
  action(command, terminal, async ({ connection, output }, [verb], { why }) => {
    const path = "/v1/emergency-override";
    if (verb === undefined) return output.one(await connection.call<Row>("GET", path));
    const isCanceled = verb === "cancel";
    output.one(await connection.call<Row>(isCanceled ? "DELETE" : "POST", path, isCanceled ? undefined : { why }));
  });
}
