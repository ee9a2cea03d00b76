#pragma once

#include "squall/recording/event.h"
#include "squall/recording/header.h"
#include "squall/recording/redactor.h"

namespace squall::recording {

/// Every text of the event, payloads included (which then say so).
void redact(EventBody& body, const Redactor& redactor);
void redact(Header& header, const Redactor& redactor);

/// The payloads of an event.
[[nodiscard]] std::vector<Payload*> payloads_of(EventBody& body);

}  // namespace squall::recording
