// The modules of the OpenID Connect Basic OP certification plan of the OpenID Foundation, with their names.
import { conformance } from "../../src/testing/conformance.ts";
import { declareBasicModules } from "./basic-modules.ts";

declareBasicModules("query", (name, sentence) =>
  conformance("OF-01", `oidcc-basic-certification-test-plan: ${name}: ${sentence}`),
);
