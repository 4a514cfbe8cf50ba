/** The web sites that the tests start find the package authjs-core under the name that it has for applications. */
declare module "@auth/core" {
  export { Auth, type AuthConfig } from "authjs-core";
}
