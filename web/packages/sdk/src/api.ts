/** The server's shapes, in the form that `npm run types` writes them. */
export interface components {
  schemas: {
    About: {
      version: string;
      mode: "script" | "model";
      model?: { name: string; hosts: string[] } | null;
      contacts: components["schemas"]["Contact"][];
      debug: boolean;
      notice_days: number;
    };
    Contact: { name: string; number: string; note?: string | null };
    Script: { id: string; name: string; goal?: string | null; duration?: string | null; locale: string };
    Created: {
      session: components["schemas"]["Session"];
      token: string;
      person_token?: string | null;
    };
    SessionList: { sessions: components["schemas"]["Session"][]; next?: string | null };
    MessageList: { messages: components["schemas"]["Message"][]; more: boolean };
    Recovery: { token: string; expires_at: string };
    Session: {
      id: string;
      script: string;
      name: string;
      locale: string;
      status: "created" | "active" | "away" | "suspended" | "interrupted" | "ended" | "archived";
      paused: boolean;
      created_at: string;
      last_active_at: string;
      ended_at?: string | null;
      turn: number;
      last_message: number;
      last_event_id: number;
      mode: "script" | "model";
      in_crisis: boolean;
      position: components["schemas"]["Position"];
      request: components["schemas"]["Request"];
      progress: components["schemas"]["Progress"];
      debug: boolean;
    };
    Turn: {
      turn: { id: string; seq: number; status: string };
      messages: components["schemas"]["Message"][];
      execution_status: "completed" | "waiting_input" | "error";
      position: components["schemas"]["Position"];
      exit: { reason: string; class: string; decision_source: string } | null;
      request: components["schemas"]["Request"];
      progress: components["schemas"]["Progress"];
      in_crisis: boolean;
      debug?: unknown;
    };
    Message: {
      id: string;
      seq: number;
      turn: number;
      sender: "person" | "ai" | "system";
      content: string;
      content_type: "text" | "choice";
      action_id: string | null;
      at: string;
    };
    Place: { index: number; id: string };
    Position: {
      phase: components["schemas"]["Place"] | null;
      topic: components["schemas"]["Place"] | null;
      action: components["schemas"]["Place"] | null;
      action_type?: string | null;
      current_round?: number | null;
      max_rounds?: number | null;
    };
    Request: { type: "message" | "choice" | "none"; choices: components["schemas"]["Choice"][] };
    Choice: { value: string; label: string };
    Progress: {
      phases: { id: string; name: string; done: boolean; current: boolean }[];
      milestones: string[];
    };
    Problem: {
      type: string;
      title: string;
      status: number;
      detail?: string | null;
      code: string;
      reference?: string | null;
      findings?: unknown[] | null;
    };
  };
}
