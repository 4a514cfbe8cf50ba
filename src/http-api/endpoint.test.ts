import { expectTypeOf, it } from "vitest";
import type { PlaceAndScopes } from "./endpoint.ts";
import type { Place, ScopedPlace } from "./places.ts";

type OpenedBy<Where> = { in: Where; scopes: readonly ["api"] };

// The type check fails when one of these assertions does not hold.
it("lets an endpoint state scopes where its place has none", () => {
  expectTypeOf<OpenedBy<Place<string>>>().toExtend<PlaceAndScopes<string>>();
});

it("lets no endpoint replace the scopes of its place", () => {
  expectTypeOf<{ in: ScopedPlace<string> }>().toExtend<PlaceAndScopes<string>>();
  expectTypeOf<OpenedBy<ScopedPlace<string>>>().not.toExtend<PlaceAndScopes<string>>();
});
