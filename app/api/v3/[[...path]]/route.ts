import { goneVersion } from "@/http-api/refusals";
import { apiPreflight } from "@/oauth/api/cors";

export {
  apiPreflight as OPTIONS,
  goneVersion as DELETE,
  goneVersion as GET,
  goneVersion as PATCH,
  goneVersion as POST,
  goneVersion as PUT,
};
