/** Pages without a session: sign-in, sign-up, forgotten password, and the form for a new password. */
import { Button } from "../panels/controls.tsx";
import type { ComponentChildren } from "preact";
import { supportLink, theVenue } from "../panels/brand.tsx";
import { BrandMark } from "../pages/frame.tsx";
import { customerOutside, customerWords } from "../words/words.ts";
import { type Context, type DemoAccount, useAccount, useDemo } from "./context.ts";
import { hashOf } from "./place.ts";
import { type Signal, useSignal } from "@preact/signals";
import {
  Field,
  Form,
  LEAST_PASSWORD_CHARACTERS,
  MOST_PASSWORD_CHARACTERS,
  PasswordField,
  SignOutReason,
  TotpField,
  useSignInWorker,
  WorkShown,
} from "../pages/form.tsx";
import type { Venue } from "@pricetime/server/answers";
import { DeniedText } from "../pages/pane.tsx";
import { type Denied, deniedOf } from "../pages/request.ts";
import { codeOf, LanguageButton } from "./elements.tsx";

interface OutsideProps {
  readonly context: Context;
  readonly title: string;
  readonly isSignIn?: boolean;
  readonly children: ComponentChildren;
}

export function Outside({ context, title, isSignIn = false, children }: OutsideProps) {
  return (
    <main class="sign-in">
      <div class="outside-column">
        <section class="pane outside" aria-label={title}>
          <BrandMark />
          <h1>{title}</h1>
          {children}
          {!isSignIn && (
            <p class="row-of">
              <a href={hashOf("overview")}>{customerWords.toSignIn}</a>
            </p>
          )}
        </section>
        <OutsideLinks context={context} />
      </div>
    </main>
  );
}

/** Links below the form: the terminal, the support address, and the published proof of liabilities. */
function OutsideLinks({ context }: { context: Context }) {
  const published = useAccount<object | null>(context, "proof/published", { isStill: true });
  // Links to the proof are hidden until the first proof is published, because they would lead to an error.
  const isPublished = published.value !== null;
  const { support } = theVenue();
  return (
    <p class="outside-links">
      <LanguageButton context={context} />
      <a href="../">{customerWords.terminal}</a>
      {support !== null && <a href={supportLink(support)}>{customerWords.support}</a>}
      {isPublished && (
        <>
          <a href="v1/proof/published">{customerWords.publishedRoot}</a>
          <a href="v1/proof/public">{customerWords.publicPart}</a>
        </>
      )}
    </p>
  );
}

export function Success({ children }: { children: ComponentChildren }) {
  return (
    <p role="status" class="good-text">
      {children}
    </p>
  );
}

// A new password, typed twice and validated before it is sent.

export interface NewPassword {
  readonly first: Signal<string>;
  readonly again: Signal<string>;
  /** Returns the problem with the password; "" if it is valid. */
  readonly check: () => string;
  /** The smallest number of characters. */
  readonly least: number;
}

export function useNewPassword(context: Context): NewPassword {
  const first = useSignal("");
  const again = useSignal("");
  const { value } = useVenue(context);
  const least = value?.passwordMin ?? LEAST_PASSWORD_CHARACTERS;
  const most = value?.passwordMax ?? MOST_PASSWORD_CHARACTERS;
  return {
    first,
    again,
    least,
    check: () => {
      const { length } = first.value;
      if (length < least || length > most) return customerOutside.passwordLength(least, most);
      return first.value === again.value ? "" : customerOutside.passwordsDiffer;
    },
  };
}

const useVenue = (context: Context) => useAccount<Venue>(context, "venue", { isStill: true });

export function NewPasswordFields({ password, email }: { password: NewPassword; email?: string }) {
  return (
    <>
      {email !== undefined && (
        <input class="unseen" type="text" autocomplete="username" value={email} readOnly tabIndex={-1} aria-hidden />
      )}
      <PasswordField
        id="new-password"
        label={customerOutside.newPassword}
        isNew
        value={password.first}
        help={customerOutside.passwordHelp(password.least)}
      />
      <PasswordField id="new-password-again" label={customerOutside.passwordAgain} isNew value={password.again} />
    </>
  );
}

function EmailField({ email }: { email: Signal<string> }) {
  return (
    <Field
      id="email"
      label={customerOutside.email}
      type="email"
      inputMode="email"
      autocomplete="username"
      value={email}
      isFirst
    />
  );
}

// Sign-in with email and password, and a 2FA code if the node requires one, or with one click to a demo account.

export function SignIn({ context }: { context: Context }) {
  const email = useSignal("");
  const password = useSignal("");
  const code = useSignal("");
  const needsCode = useSignal(false);
  const venue = useVenue(context).value;
  const { worker, progress } = useSignInWorker();
  const send = async (): Promise<void> => {
    context.signOutReason.value = "";
    const body = { email: email.value.trim(), password: password.value, ...codeOf(code) };
    await worker.send((work) => context.wire.account("POST", "sign-in", { body: { ...body, ...(work && { work }) } }));
    await context.enter();
  };
  return (
    <Outside context={context} title={customerOutside.signIn} isSignIn>
      <p class="muted">{customerOutside.welcome(theVenue().name)}</p>
      <Form
        label={customerOutside.signIn}
        submit={customerOutside.signIn}
        check={() => (email.value.trim() === "" || password.value === "" ? customerOutside.bothNeeded : "")}
        onSend={send}
        onDenied={({ code: why }) => {
          if (why !== "CODE_REQUIRED") return false;
          needsCode.value = true;
          return true;
        }}
      >
        <EmailField email={email} />
        <PasswordField id="password" label={customerOutside.password} value={password} />
        <p class="row-of">
          <a href={hashOf("lost")}>{customerOutside.lost}</a>
        </p>
        {needsCode.value && (
          <TotpField id="code" label={customerWords.code} value={code} help={customerOutside.codeHelp} isFirst />
        )}
        <WorkShown progress={progress} />
        <SignOutReason why={context.signOutReason.value} />
      </Form>
      <DemoAccounts context={context} />
      {venue !== null && (
        <p class="row-of no-account">
          <span class="muted">{venue.signUp === "open" ? customerOutside.noAccount : customerOutside.invitedOnly}</span>
          {venue.signUp === "open" && <a href={hashOf("sign-up")}>{customerOutside.signUp}</a>}
        </p>
      )}
    </Outside>
  );
}

/**
 * Buttons that sign in to a demo account with one click. The passwords of demo accounts are public on the demo's
 * machine.
 */
function DemoAccounts({ context }: { context: Context }) {
  const accounts = useDemo(context)?.accounts ?? [];
  const denied = useSignal<Denied | null>(null);
  // The promise never rejects.
  const enter = async ({ email, password }: DemoAccount): Promise<void> => {
    denied.value = null;
    try {
      await context.wire.account("POST", "sign-in", { body: { email, password } });
      await context.enter();
    } catch (error) {
      denied.value = deniedOf(error);
    }
  };
  if (accounts.length === 0) return null;
  return (
    <div class="stack" role="group" aria-label={customerOutside.demo}>
      <p class="muted">{customerOutside.demo}</p>
      <p class="row-of">
        {accounts.map((account) => (
          <Button key={account.email} onClick={() => void enter(account)}>
            {customerOutside.signInAs(account.name)}
          </Button>
        ))}
      </p>
      {denied.value !== null && <DeniedText denied={denied.value} />}
    </div>
  );
}

// A form for an email address to which the node sends an email. The response does not reveal whether an account exists.

interface EmailFormProps {
  readonly context: Context;
  readonly path: "sign-up" | "password-reset";
  readonly label: string;
  readonly help: string;
}

function EmailForm({ context, path, label, help }: EmailFormProps) {
  const email = useSignal("");
  const isSent = useSignal(false);
  if (isSent.value) return <Success>{customerOutside.emailSent[path](email.value.trim())}</Success>;
  return (
    <Form
      label={label}
      submit={customerOutside.sendLetter}
      check={() => (email.value.includes("@") ? "" : customerOutside.emailNeeded)}
      onSend={async () => {
        const inLanguage = path === "sign-up" ? { language: context.language.value } : {};
        await context.wire.account("POST", path, { body: { email: email.value.trim(), ...inLanguage } });
        isSent.value = true;
      }}
    >
      <p class="muted">{help}</p>
      <EmailField email={email} />
    </Form>
  );
}

export function SignUp({ context }: { context: Context }) {
  const venue = useVenue(context).value;
  return (
    <Outside context={context} title={customerOutside.signUp}>
      {venue?.signUp === "invitation" ? (
        <p>{customerOutside.byInvitation}</p>
      ) : (
        <EmailForm context={context} path="sign-up" label={customerOutside.signUp} help={customerOutside.signUpHelp} />
      )}
    </Outside>
  );
}

export function ForgotPassword({ context }: { context: Context }) {
  return (
    <Outside context={context} title={customerOutside.lost}>
      <EmailForm context={context} path="password-reset" label={customerOutside.lost} help={customerOutside.lostHelp} />
    </Outside>
  );
}
