/** The commands by which an operator signs in, and changes password and two-factor authentication. */
import type { Command } from "commander";
import type { Row } from "../session/output.ts";
import { action, readText, said } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const FILE = "File with the password (- for stdin)";
const CODE = "Two-factor code, if two-factor authentication is on";
/** Without the line end, which editors add. */
const secretIn = (path: unknown): string => readText(String(path)).replace(/\r?\n$/, "");

export function addSignInCommands(program: Command, terminal: Terminal): void {
  const signIn = program
    .command("sign-in <name>")
    .description("Sign in and print a session token, to use with --token.");
  signIn.requiredOption("--password-file <file>", FILE).option("--code <code>", CODE);
  action(signIn, terminal, async ({ connection, output }, [name], { passwordFile, code }) => {
    const body = said({ name, password: secretIn(passwordFile), code });
    output.one(await connection.call<Row>("POST", "/v1/sign-in", body));
  });
  action(program.command("sign-out").description("End the session."), terminal, async ({ connection, output }) =>
    output.one(await connection.call<Row>("POST", "/v1/sign-out")),
  );
  const accept = program.command("accept-invitation <id> <secret>");
  accept.description("Accept an operator invitation: set a password with the ID and the secret in its link.");
  accept.requiredOption("--password-file <file>", FILE);
  action(accept, terminal, async ({ connection, output }, [id, secret], { passwordFile }) => {
    const body = { id, secret, password: secretIn(passwordFile) };
    output.one(await connection.call<Row>("POST", "/v1/accept-invitation", body));
  });
  addMe(program, terminal);
}

function addMe(program: Command, terminal: Terminal): void {
  const me = program
    .command("me")
    .description("Show your operator profile; change password and two-factor authentication.");
  action(
    me.command("show", { isDefault: true }).description("Show your name, role and rights."),
    terminal,
    async ({ connection, output }) => output.one(await connection.call<Row>("GET", "/v1/me")),
  );
  const password = me.command("password").description("Change your password. Your other sessions end.");
  password.requiredOption("--password-file <file>", FILE);
  password.requiredOption("--new-password-file <file>", "File with the new password (- for stdin)");
  password.option("--code <code>", CODE);
  action(password, terminal, async ({ connection, output }, _, { passwordFile, newPasswordFile, code }) => {
    const body = said({ password: secretIn(passwordFile), newPassword: secretIn(newPasswordFile), code });
    output.one(await connection.call<Row>("POST", "/v1/me/password", body));
  });
  const twoFactor = me.command("two-factor");
  twoFactor.description("Set up two-factor authentication: print a secret and a setup ID for confirm-two-factor.");
  twoFactor.requiredOption("--password-file <file>", FILE).option("--remove", "Turn off two-factor authentication");
  twoFactor.option("--code <code>", "Current two-factor code (with --remove)");
  action(twoFactor, terminal, async ({ connection, output }, _, { passwordFile, remove, code }) => {
    const body = said({ password: secretIn(passwordFile), ...(remove === true && { code }) });
    output.one(await connection.call<Row>("POST", `/v1/me/totp${remove === true ? "/remove" : ""}`, body));
  });
  action(
    me
      .command("confirm-two-factor <setup> <code>")
      .description("Turn on two-factor authentication with the setup ID and a first code from the app."),
    terminal,
    async ({ connection, output }, [pending, code]) =>
      output.one(await connection.call<Row>("POST", "/v1/me/totp/confirm", { pending, code })),
  );
}
