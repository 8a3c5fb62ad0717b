// What can be wrong with a call. The kinds are registered in spec/errors.json.

export class CallError extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

export const invalidArgument = (message) => new CallError('invalid_argument', message);
export const malformedTree = (message) => new CallError('malformed_tree', message);
export const unknownChoice = (message) => new CallError('unknown_choice', message);
export const notAFolder = (message) => new CallError('not_a_folder', message);
