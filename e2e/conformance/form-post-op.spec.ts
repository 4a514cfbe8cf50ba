// The modules of the OpenID Connect Form Post OP certification plan of the OpenID Foundation, with their names.
import { conformance } from "../../src/testing/conformance.ts";
import { declareBasicModules } from "./basic-modules.ts";

declareBasicModules("form_post", (name, sentence) =>
  conformance("OF-03", `oidcc-formpost-basic-certification-test-plan: ${name}: ${sentence}`),
);
