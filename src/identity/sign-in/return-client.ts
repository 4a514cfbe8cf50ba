/** The application to which a user returns after the sign-in. */
export type ReturnClient = Readonly<{
  name: string;
  /** The path of the application's logo on this instance; null for an application without a logo. */
  logo: string | null;
}>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /** Returns the application of the authorization request in a return path; null for every other path. */
    returnClient: (deps: Deps, returnTo: string) => Promise<ReturnClient | null>;
  }
}
