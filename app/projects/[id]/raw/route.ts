export { getRawFile as GET } from "@/code/repositories/raw-file";
