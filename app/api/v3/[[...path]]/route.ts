import { apiPreflight } from "@/api/cors";
import { goneVersion } from "@/api/endpoint";

export {
  apiPreflight as OPTIONS,
  goneVersion as DELETE,
  goneVersion as GET,
  goneVersion as PATCH,
  goneVersion as POST,
  goneVersion as PUT,
};
