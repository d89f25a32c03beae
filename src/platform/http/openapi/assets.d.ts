// A file imported with `type: "file"` is its path: on disk, or inside the compiled binary.

declare module "*.gz" {
  const path: string;
  export default path;
}
