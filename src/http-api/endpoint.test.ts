import { expectTypeOf, it } from "vitest";
import type { PlaceAndScopes } from "./endpoint.ts";
import type { Place, ScopedPlace } from "./places.ts";

type OpenedBy<Where> = { in: Where; scopes: readonly ["api"] };

// The type check fails when one of these assertions is false.
it("an endpoint can declare scopes if its access context declares no scopes", () => {
  expectTypeOf<OpenedBy<Place<string>>>().toExtend<PlaceAndScopes<string>>();
});

it("an endpoint cannot replace the scopes that its access context declares", () => {
  expectTypeOf<{ in: ScopedPlace<string> }>().toExtend<PlaceAndScopes<string>>();
  expectTypeOf<OpenedBy<ScopedPlace<string>>>().not.toExtend<PlaceAndScopes<string>>();
});
