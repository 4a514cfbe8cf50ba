import { expectTypeOf, it } from "vitest";
import type { AccessRule, ScopedAccessRule } from "./access-rules.ts";
import type { AccessRuleAndScopes } from "./endpoint.ts";

type OpenedBy<Where> = { in: Where; scopes: readonly ["api"] };

// The type check fails when one of these assertions is false.
it("an endpoint can declare scopes if its access rule declares no scopes", () => {
  expectTypeOf<OpenedBy<AccessRule<string>>>().toExtend<AccessRuleAndScopes<string>>();
});

it("an endpoint cannot replace the scopes that its access rule declares", () => {
  expectTypeOf<{ in: ScopedAccessRule<string> }>().toExtend<AccessRuleAndScopes<string>>();
  expectTypeOf<OpenedBy<ScopedAccessRule<string>>>().not.toExtend<AccessRuleAndScopes<string>>();
});
