export { getSearch as GET } from "@/operations/search/endpoint";
