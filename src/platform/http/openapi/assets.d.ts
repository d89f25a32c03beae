// Importing a file with `type: "file"` gives its path, on disk or in the compiled binary.

declare module "*.gz" {
  const path: string;
  export default path;
}
