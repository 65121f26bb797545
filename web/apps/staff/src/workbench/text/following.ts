import type { Operation, Path } from "./shapes.js";

/** Whether a path leads into a list, or along another path. */
function within(path: Path, above: Path): boolean {
  return path.length > above.length && above.every((part, at) => part === path[at]);
}

function along(path: Path, list: Path, index: number): Path {
  return path.map((part, at) => (at === list.length ? index : part));
}

function removed(path: Path, item: Path): Path | null {
  const list = item.slice(0, -1);
  if (!within(path, list)) return path;
  const [own, gone] = [Number(path[list.length]), Number(item.at(-1))];
  if (own === gone) return null;
  return own > gone ? along(path, list, own - 1) : path;
}

function inserted(path: Path, list: Path, index: number): Path {
  if (!within(path, list)) return path;
  const own = Number(path[list.length]);
  return own >= index ? along(path, list, own + 1) : path;
}

/** Where what stood at a path stands after an operation on its file; null when it is gone. */
export function followed(path: Path, operation: Operation): Path | null {
  switch (operation.kind) {
    case "insert":
      return inserted(path, operation.path, operation.index);
    case "duplicate":
      return inserted(path, operation.path.slice(0, -1), Number(operation.path.at(-1)) + 1);
    case "delete":
      return removed(path, operation.path);
    case "move": {
      const to = removed(operation.to, operation.path);
      if (!to) return path;
      const from = operation.path.slice(0, -1);
      const same = from.length === operation.to.length && from.every((part, at) => part === operation.to[at]);
      const index = operation.index - (same && Number(operation.path.at(-1)) < operation.index ? 1 : 0);
      const left = removed(path, operation.path);
      return left ? inserted(left, to, index) : [...to, index, ...path.slice(operation.path.length)];
    }
    case "extract_to_technique": {
      if (!within(path, operation.path)) return path;
      const own = Number(path[operation.path.length]);
      if (own < operation.first) return path;
      if (own <= operation.last) return null;
      return along(path, operation.path, own - (operation.last - operation.first));
    }
    default:
      return path;
  }
}
