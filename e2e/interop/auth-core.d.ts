/**
 * The package @auth/core is installed as `authjs-core`. The web sites of the tests import this package as
 * `@auth/core`, as applications do.
 */
declare module "@auth/core" {
  export { Auth, type AuthConfig } from "authjs-core";
}
